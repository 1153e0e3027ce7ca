# プレイヤーが読み聞きする文（日本語）。

## The language

language-name = 日本語
language-plural = other
language-thousands = ,
language-decimals = .
language-percentage = { $number }%
language-list = { $items }、{ $item }
language-list-end = { $items }、{ $item }

## Building blocks

sequence = { $first }{ $second }
clauses = { $first }；{ $second }
labelled = { $label }：{ $text }
list = { $items }
word = { WORD($word) }
changed = { $before } → { $after }
share = { WORD($fact) } { $share }
worlds = 世界{ $n }通り
left = 残り：{ worlds }
left-in-all = 残り：{ worlds }。
phase = { $kind ->
         [vote] { $n }日目の昼
         [night] { $n }日目の夜
         [evening] { $n }日目の夜・日暮れ
         [visions] { $n }日目の夜・占い
         [attacks] { $n }日目の夜・襲撃
         [dawn] { $n }日目の夜・夜明け
        *[other] { $n }日目の夜・{ $kind }
    }
game-is-over = ゲームは終わりました
game-over = ゲームは終わりました。
over = ゲーム終了
game-is-paused = ゲームは一時停止中です
cards = { WORD($one) }{ $n }人
sample = 世界{ $worlds }通りから無作為に選んだ最大{ $most }通り
sampled-at-first = 開始時：{ $sample }
no-world-left = ?：世界が一つも残っていません
hidden-until-certain = ?：確定するまで非公開
bitten-perhaps = ?：噛まれたかもしれませんが、命の一部を失ったかどうかは、どの世界でも確定しません
settings = { $n }人、ルール「{ $rules }」：{ $cards }。{ $deal ->
         [classical] カード制
        *[quantum] 量子人狼
    }、対象は{ $targets ->
         [public] 公開
        *[secret] 非公開
    }{ $some ->
         [yes] 、{ $sample }
        *[no] { "" }
    }。
house-rules = ハウスルール：{ $rules }
players = 参加者：{ $names }。

## What happens: actions

deed = { $action ->
         [vision] { $hidden ->
                 [yes] 占い師
                *[no] { $actor }さん
            }は{ LIST($targets) }さんを占いました
         [attack] { $hidden ->
                 [yes] 人狼
                *[no] { $actor }さん
            }は{ LIST($targets) }さんを襲撃しました
         [link] { $hidden ->
                 [yes] キューピッド
                *[no] { $actor }さん
            }は{ LIST($targets) }の2人を恋人にしました
         [protect] { $hidden ->
                 [yes] 狩人
                *[no] { $actor }さん
            }は{ LIST($targets) }さんを護衛しました
         [heal] { $hidden ->
                 [yes] 魔女
                *[no] { $actor }さん
            }は{ LIST($targets) }さんを救いました
         [poison] { $hidden ->
                 [yes] 魔女
                *[no] { $actor }さん
            }は{ LIST($targets) }さんに毒を盛りました
         [take] { $hidden ->
                 [yes] 誰か
                *[no] { $actor }さん
            }は{ LIST($targets) }さんを道連れにしました
        *[other] { $hidden ->
                 [yes] 誰か
                *[no] { $actor }さん
            }は{ LIST($targets) }さんを選びました（{ $does }）
    }
acted = { deed }。
acted-in-full = { deed }{ $result ->
         [none] { $action ->
                 [vision] が、何も見えませんでした（世界が一つも残っていません）
                *[other] { "" }
            }
        *[other] 。結果は{ WORD($result) }です{ $drawn }
    }。
your-deed = { $action ->
         [vision] あなたは{ LIST($targets) }さんを占いました
         [attack] あなたは{ LIST($targets) }さんを襲撃しました
         [link] あなたは{ LIST($targets) }の2人を恋人にしました
         [protect] あなたは{ LIST($targets) }さんを護衛しました
         [heal] あなたは{ LIST($targets) }さんを救いました
         [poison] あなたは{ LIST($targets) }さんに毒を盛りました
         [take] あなたは{ LIST($targets) }さんを道連れにしました
        *[other] あなたは{ LIST($targets) }さんを選びました（{ $do }）
    }
acted-yourself = { your-deed }{ $result ->
         [none] { $action ->
                 [vision] が、何も見えませんでした
                *[other] { "" }
            }
        *[other] 。結果：{ WORD($result) }
    }。
declined = { $action ->
         [vision] { $hidden ->
                 [yes] 占い師
                *[no] { $actor }さん
            }は占いを
         [attack] { $hidden ->
                 [yes] 人狼
                *[no] { $actor }さん
            }は襲撃を
        *[other] { $hidden ->
                 [yes] 誰か
                *[no] { $actor }さん
            }は「{ WORD($action) }」を
    }見送りました。
declined-yourself = あなたは{ WORD($action) }を見送りました。
drawn-of = （{ worlds }：{ $parts }）
role-in-worlds = { WORD($role) }{ $n }
refused = { $actor }さんは{ $target }さんを襲撃できませんでした。
refused-yourself = { $target }さんは襲撃できません。あなたが人狼のリーダーであるどの世界でも、{ $target }さんも人狼です。

## What happens: votes and deaths

lot-among = { $tied }が同数です。くじで決めます。
lot-decides = { $tied }が同数票です。くじで決めます。
was-role = { WORD($role) }
was-announced = { WORD($announced) }
voted-off-in-full = { $player }さんは投票で追放されました。役職は{ $role ->
         [none] 不明
        *[other] { was-role }
    }でした{ $drawn }。
voted-off = { $player }さんは投票で追放されました{ $announced ->
         [none] { "" }
        *[other] 。正体は{ was-announced }でした
    }。
found-dead-in-full = { $player }{ $role ->
         [none] さんは死亡しました：世界が一つも残っていません
        *[other] さんが死体で発見されました。役職は{ was-role }でした{ $drawn }
    }。
found-dead = { $player }さんが死体で発見されました{ $announced ->
         [none] { "" }
        *[other] 。正体は{ was-announced }でした
    }。
taken-along-in-full = { $actor }さんは{ $player }さんを道連れにしました。{ $player }さんの役職は{ $role ->
         [none] ?
        *[other] { was-role }
    }でした{ $drawn }。
taken-along = { $actor }さんは{ $player }さんを道連れにしました{ $announced ->
         [none] { "" }
        *[other] 。{ $player }さんの正体は{ was-announced }でした
    }。
is-spared = { $player }さんは処刑を免れました。
nobody-voted-off = 誰も追放されませんでした。
nobody-found-dead = 昨夜の犠牲者はいませんでした。

## What happens: words, and the end

told-in-full = { $speaker }さんは{ $noticed ->
         [yes] みんなの前で
        *[no] こっそり
    }伝えました（相手：{ LIST($to) }）：{ $formula }。
said = { $speaker }さんの{ $believed ->
         [yes] 発言（全員が信じました）
        *[no] 主張
    }：{ $formula }。
told-whether = { $speaker }さんは次が正しいかどうかを伝えました（相手：{ LIST($to) }）：{ $formula }。
told-you = { $speaker }さんからあなたへ：{ $formula }。
told-role = { $player }さんに、残る役職が一つだけだと伝えられました：{ WORD($role) }。
told-your-role = あなたに残った役職は一つです：{ WORD($role) }。
collapsed-in-full = もう何も変わりません。世界を一つ抽選します：{ WORD($roles) }。
collapsed = もう何も変わりません。世界を一つ抽選します。
left-out = { $hidden ->
         [yes] { WORD($action) }
        *[no] { $player }（{ WORD($action) }）
    }
passed-over = スキップ：{ $who }。
end-of = { $phase }が終わりました。
as-of-the-end = { $phase }が終わった時点の表です。
game-ended = { $verdict ->
         [draw] 引き分けです
         [wolves] 人狼陣営の勝利です
         [village] 村人陣営の勝利です
         [lovers] 恋人陣営の勝利です
         [fox] 妖狐の勝利です
        *[other] { WORD($verdict) }の勝利です
    }{ $forced ->
         [yes] （強制的な収縮による）
        *[no] { "" }
    }{ $any ->
         [yes] 。勝者：{ $winners }
        *[no] { "" }
    }。
died = { $how ->
         [voted_off] 追放
         [found_dead] 犠牲
        *[taken_along] 道連れ
    }・{ $phase }

## What a player is told

your-number = あなたの番号は{ $number }です。
your-role = あなたの役職は{ WORD($role) }です。
with-rank = { $ranked ->
         [yes] { $player }（{ WORD($role) }）
        *[no] { $player }
    }
other-wolves = { $n ->
         [0] 人狼はあなただけです。
        *[other] 仲間の人狼：{ $others }。
    }
has-role = { $player }さんは{ WORD($role) }
you-are-told = お知らせ：{ $who }。
shown = { WORD($word) }：{ $n ->
         [0] なし
        *[other] { LIST($names) }
    }。
chances-at-first = 開始時のあなたの確率：{ $chances }。
your-chances = あなたの確率：{ $chances }。
asked-for = { $action ->
         [vision] 占う相手
         [attack] 襲撃する相手
         [link] 恋人にする2人
         [protect] 護衛する相手
         [heal] 救う相手
         [poison] 毒を盛る相手
         [take] 道連れにする相手
        *[other] 「{ WORD($action) }」の相手
    }を聞かれています。
not-asked = { $action ->
         [vision] 占う相手
         [attack] 襲撃する相手
         [link] 恋人にする2人
         [protect] 護衛する相手
         [heal] 救う相手
         [poison] 毒を盛る相手
         [take] 道連れにする相手
        *[other] 「{ WORD($action) }」の相手
    }は聞かれていません。
you-are-passed-over = 順番を飛ばされました：{ WORD($action) }の権利がありました。
acted-by-then = それまでに行動した人：{ $who }。
in-fractions = 分数では：{ $shares }。
in-fraction = { $share }は{ $values }
now = 現在：{ $phase }。生存者：{ $n ->
         [0] なし
        *[other] { $names }
    }。
handout-mark = (kripke-werewolf handout { $version } ja)
what-is-known = { $n ->
         [0] 全員
        *[other] { $player }さん
    }が知っていること
who-is-alive = 生存者：{ $n ->
         [0] なし
        *[other] { $names }
    }。
who-is-dead = 死亡者：{ $names }。

## Why something is refused

being = { $card ->
         [dominant] 人狼のリーダー
        *[other] { WORD($card) }
    }
being-such = { $schema }が成り立つ人
cannot-do = { $actor }さんは{ $targets }さん{ $action ->
         [vision] を占えません
         [attack] を襲撃できません
         [link] を恋人にできません
         [protect] を護衛できません
         [heal] を救えません
         [poison] に毒を盛れません
         [take] を道連れにできません
        *[other] を選べません（{ $do }）
    }：{ $reason }
needs-two = 異なる2人を指定してください
needs-one = 1人を指定してください
no-world-to-see = { $actor }さんには何も見えません：{ $actor }さんが{ $alive ->
         [yes] 生きている
        *[no] { "" }
    }{ $card }である世界は残っていません
is-compulsory = ルール「{ $rules }」では{ WORD($action) }は必須です
cannot-decline = { $actor }さんは{ WORD($action) }を見送れません：{ $reason }
attack-is-allowed = その襲撃は可能です
nothing-to-refuse = { $actor }さんの{ $target }さんへの襲撃は却下できません：{ $reason }
no-vote-in = { $phase }には投票がありません
no-vote-end = { $phase }には投票がありません。「{ typed-end } { typed-pass }」で進みます
cannot-be-voted-off = { $player }さんを追放できません：{ $reason }
nobody-is-named = 投票先が指定されていません。追放しない場合は、このフェーズを終えてください
cannot-be-tied = { $tied }は同数になりません：生存者を2人以上、1回ずつ指定してください
not-one-of-the-tied = { $player }さんは同数になった人ではありません：{ $tied }
cannot-take-along = { $actor }さんは{ $player }さんを道連れにできません：{ $reason }
cannot-speak = { $speaker }さんは発言できません：{ $reason }
cannot-tell = { $speaker }さんは伝えられません（相手：{ $to }）：他の人を1回ずつ指定してください
first-names-somebody = まず、死亡した人（{ $dead }）が道連れを選びます
is-dead = { $player }さんは死亡しています
is-alive = { $player }さんは生存しています
no-such-action = { $first ->
         [yes] 最初の夜
        *[no] { $phase }
    }には{ WORD($action) }がありません
next-ones-are = 次は{ $phase }です
nobody-dead-yet = 死亡が発表された人はまだいません
in-no-world = { $player }さんが{ $card }である世界は残っていません
already-used = { $player }さんは{ $phase }の{ WORD($action) }をもう使ったか、見送りました
vision-comes-first = { $player }さんの占いが襲撃より先です
turn-of = { $player }さんの番です
is-wolf-where = { $actor }さんが{ $card }であるどの世界でも、{ $target }さんは人狼です
not-on-oneself = ルール「{ $rules }」では、自分への{ WORD($action) }はできません

## Votes

votes-for = { $anybody ->
         [yes] { $player }さん
        *[no] 棄権
    } { $n }票
vote-of = { $voter }→{ $anybody ->
         [yes] { $player }
        *[no] 棄権
    }
tally = 投票結果：{ $n ->
         [0] なし
        *[other] { $counts }
    }{ $opened ->
         [yes] （{ $by }）
        *[no] { "" }
    }。
votes-again = { $tied }が同数票です。決選投票を行います。
nobody-can-vote = 投票できません：ゲームは終わりました
votes-aloud = ここでは口頭で投票します。端末では投票しません
dead-have-no-vote = { $voter }さんは死亡しているため投票できません
only-the-tied = 同数票のため、投票先は{ $names }だけです
are-tied = { $names }が同数です。{ $ties ->
         [village] 村で決めます：その中から1人を指定してください
        *[nobody] 誰も追放されません。「{ typed-end }」で昼を終えます
    }

## Answers to commands

this-is-over = 間に合いませんでした：{ $over ->
         [yes] ゲームは終わりました
        *[no] 今は{ $phase }です
    }。何も変わっていません
for-the-master = それはゲームマスター専用です
only-for-oneself = { $player }さんは自分の分しか選べません
only-the-master-decides = 占いの結果を決められるのはゲームマスターだけです
pausing = { $paused ->
         [yes] 一時停止しました
        *[no] ゲームを再開します
    }
noted = 記録しました
noted-choice = 記録しました：{ $actor }さんの選択
noted-vote = 記録しました：{ $voter }さんの投票
is-away = { $player }さんが{ $away ->
         [yes] 離席しました
        *[no] 戻りました
    }
action-refused = { $actor }さんの{ WORD($action) }はできません：{ $reason }
choice-is-final = { $actor }さんはもう選んだので変更できません
same-is-true = { $reason }。{ $others }も同様です
over-already = ゲームは終わっているので、これ以上進められません
cannot-end-yet = まだ進められません：{ $reason }
phase-cannot-end = { $phase }をまだ終えられません：{ $hidden ->
         [yes] まだ選んでいない人がいます
        *[no] 選択があと{ $n }件必要です
    }。「{ typed-end } { typed-pass }」で省略して進みます
not-together = { $reason }。他の選択とは両立しません
all-taken-back = すべての選択を取り消しました。今は{ $phase }です
last-taken-back = 最後の選択を取り消しました
nothing-to-undo = 取り消せるものはありません：ゲームは始まったばかりです
phase-taken-back = 取り消しました。今は{ $phase }です
at-least-one = { steps }は取り消せません。1以上の数を指定してください
steps = { $n }手
not-so-many-steps = { steps }は取り消せません：まだ{ $steps }手しか進んでいません
not-so-many-moments = 投票とフェーズを{ $count }回分は取り消せません。{ $n ->
         [0] まだありません
        *[other] 1〜{ $n }回分まで可能です
    }
steps-taken-back = 取り消しました：{ $nights ->
         [yes] { steps }
        *[no] 直前の投票とフェーズ
    }。今は{ $phase }です

## Questions at night

whom = { $action ->
         [vision] 誰を占いますか
         [attack] 誰を襲撃しますか
         [link] 誰と誰を恋人にしますか
         [protect] 誰を護衛しますか
         [heal] 誰を救いますか
         [poison] 誰に毒を盛りますか
         [take] 誰を道連れにしますか
        *[other] 誰を選びますか（{ $do }）
    }？
nobody-to = { $asked ->
         [yes] 今は
        *[no] あなたには
    }{ $action ->
         [vision] 占える
         [attack] 襲撃できる
         [link] 恋人にできる
         [protect] 護衛できる
         [heal] 救える
         [poison] 毒を盛れる
         [take] 道連れにできる
        *[other] 選べる（{ $do }）
    }相手がいません。
together = { LIST($names) }

## What an action does, and what has changed

explained = { $deal ->
         [quantum] あなたが{ $card }である世界では、
        *[classical] あなたが{ $card }なら、
    }{ $kind ->
         [look] 相手について次のどれかを知らされます：{ $results }。
         [bite] 相手が人狼でなければ、相手は命の一部を失います。
         [kill] { $unless ->
                 [yes] 何かに守られていないかぎり、
                *[no] { "" }
            }相手は死亡します。
         [save] 相手は今夜の死から救われます。
         [ward] { $tonight ->
                 [yes] 今夜は
                *[no] { "" }
            }襲撃されても相手は死にません。
         [join] 選んだ2人は結ばれ、一方が死んでいればもう一方も死んでいます。
        *[other] あなたの選択が有効になります。
    }{ $deal ->
         [quantum] { $also ->
                 [look] そのうち、それが正しい世界だけが残ります。
                 [misled] そのうち、それが正しい世界だけが残り、あなたが{ $misled }である世界はそれが正しくないものだけが残ります。
                 [wolf] そのうち、相手が人狼である世界は消えます。
                 [some] そのうち、それが起こり得ない世界は消えます。
                *[none] 自分の番である場合に備えて、全員が選びます。
            }それ以外の世界では何も起こりません。
        *[classical] { $also ->
                 [wolf] 相手が人狼のとき、またはあなたが別の役職のときは、何も起こりません。
                *[none] あなたが別の役職なら、何も起こりません。
            }
    }
explained-take = { $deal ->
         [quantum] 指名した人は、すべての世界であなたと一緒に死亡します。
        *[classical] 指名した人は、あなたと一緒に死亡します。
    }誰を道連れにしたかは全員に見えます。
page-what-it-does = この行動の効果
changed-for-you = { $any ->
         [yes] { $night }、あなたについて変わったこと：{ $parts }。
        *[no] 知らされたかぎりでは、{ $night }にあなたについて変わったことはありません。
    }
if-you-are = あなたが{ $card }なら、{ $player }さんは{ WORD($role) }です
no-longer-you = あなたが次の役職である可能性はなくなりました：{ $cards }
your-chances-moved = あなたの確率：{ $moved }
since-the-table = { $parts }（{ $since }の表と比べて）
chance-moved = { WORD($fact) } { $old }→{ $new }
hint = あなたに知らされたこと（表の数値は除く）から考えると、{ $kind ->
         [look] 正体が最も分からない人
         [vote] 人狼である確率が最も高い人
         [ward] 人狼である確率が最も低く、護衛する価値がありそうな人
         [save] 人狼である確率が最も低く、救う価値がありそうな人
        *[other] 人狼である確率が最も低く、選んでも損が少なそうな人
    }は次のとおりです：{ $names }。
no-hint = { $hard ->
         [yes] ここで計算するには複雑すぎます。
        *[no] 表の数値を除くと、知らされたことの中に、誰を選ぶかの手がかりはありません。
    }
page-what-could-i-do = どうすればいいですか？
asked = { $answer }（{ $read } と解釈{ $more ->
         [yes] 。表からさらに分かることもあります
        *[no] { "" }
    }）
page-ask = 何が分かるかを英語で質問する
page-ask-it = 質問

## Robots and watchers

robots-play = { $n ->
         [0] ロボットは参加していません。
        *[other] 練習：{ $names }はプログラムが操作しています。
    }
number-of-robots = ロボットを{ $n }体にはできません。0から{ $most }までの数を指定してください
watched = { $n }人が観戦し、すべてを見ています。
promise-first = すべてを見るには、まず参加者に何も言わないと約束してください
too-many-watch = 観戦できるのは{ $n }人までです
no-watcher-here = この端末は観戦していません。コードを入力してください
watchers-do-not-play = この端末は観戦中のため、参加できません
players-do-not-watch = この端末には席があるため、観戦できません
page-robots = 練習のためのロボット：{ $n }
page-more-robots = ロボットを増やす
page-fewer-robots = ロボットを減らす
page-robot-plays = ロボットが{ $name }さんを操作する
page-robot-stops = { $name }さんのロボットをやめる
page-watch = 観戦する
page-watch-code = 観戦用のコード
page-promise = 終わるまで参加者に何も言わないと約束します。
page-watchers = 観戦できる人
page-watch-all = すべて（参加者に話さないと約束した人）：{ $link }
page-watch-nobody = なし
page-new-link = 新しいリンクにする（今の観戦者は退場）
page-no-link = 誰も入れない

## The console: what is typed

typed = { $command ->
         [vote] { typed-vote }
         [end] { typed-end }
         [undo] { typed-undo }
         [again] { typed-again }
         [away] { typed-away }
         [back] { typed-back }
         [table] { typed-table }
         [status] { typed-status }
         [help] { typed-help }
         [quit] { typed-quit }
         [later] { typed-later }
         [nobody] { typed-nobody }
         [hint] { typed-hint }
         [pass] { typed-pass }
         [random] { typed-random }
        *[other] { $command }
    }
typed-vote = 投票
typed-end = 次へ
typed-undo = 戻す
typed-again = もう一度
typed-away = 離席
typed-back = 復帰
typed-table = 表
typed-status = 状況
typed-help = ヘルプ
typed-quit = やめる
typed-later = あとで
typed-nobody = なし
typed-hint = ヒント
typed-pass = 省略
typed-random = くじ

## The console: where the game stands

no-table-yet = 表はまだ公開されていません
where-it-stands = { $phase }{ $secret ->
         [yes] （{ steps }）
        *[no] { "" }
    }
alive = 生存：{ $names }
nobody-alive = 生存：なし
dead = 死亡：{ $names }
away = 離席：{ $names }
voted = 投票済み：{ $votes }
choices-noted = 記録済み：{ $choices }
choice = { $actor }（{ $any ->
         [yes] { WORD($action) }：{ $target }{ $forced ->
                 [yes] 、結果{ WORD($result) }
                *[no] { "" }
            }
        *[no] { WORD($action) }なし
    }）
to-vote = 未投票：{ $names }
village-votes = 投票の時間です
due = { $player }（{ WORD($actions) }）
to-act = 行動待ち：{ $due }
nothing-to-do = 行動が必要な人はいません：「{ typed-end }」で進みます

## The console: the game master's screen

tell = { $player }さんへ：{ $text }
tell-all = 全員へ：{ $text }
master-prompt = { $over ->
         [yes] 終了
        *[no] { $phase }
    }>
prompt = { $phase }>

## The console: one device for everybody

whose-turn = { $player }さん、{ $phase }
leave = Enterを押すと画面が消えます。
leave-anew = 別の人の名前を入力してEnterを押すと、画面が消えます。
over-press-enter = ゲームは終わりました。Enterを押してください。
it-is = 今は{ $phase }です。生存者：{ $names }。
who-is-voted-off = 追放するのは誰ですか？{ $ties ->
         [lot] 複数の名前を書くと同数になります。
        *[other] { "" }
    }いなければ「{ typed-end }」。
not-all-have-voted = まだ投票していない人がいます。Enter：もう一度聞く、「{ typed-end }」：今ある票を数える。
votes-so-far = これまでの投票：{ $votes }。
vote-was-tied = 同数票でした。投票先は{ $names }だけです。
vote-for-whom = { $opened ->
         [yes] { $player }さん、
        *[no] { "" }
    }誰に投票しますか？
it-is-noted = 記録しました。
not-for-this-screen = それは秘密なのでこの画面では扱えません。端末を受け取ったときに選んでください。
gets-no-device = { $player }さんは死亡しているか、ロボットが操作しているため、端末は回ってきません。
everybody-votes = ここでは、聞かれたときに各自が投票します。
ends-after-the-round = { $phase }は、端末が一周すると終わります。
your-card = { $player }さん、これがあなたのカードです。
not-all-have-chosen = まだ選んでいない人がいます。Enter：端末をもう一度回す。「{ typed-end } { typed-pass }」：省略して進む。
    「{ typed-end } { typed-random }」：必要な選択をくじで決める。
hand-to = 端末を{ $player }さんに渡してください。{ $player }さんはEnterを押してください。
you-chose = あなたの答え：{ $anybody ->
         [yes] { $target }
        *[no] なし
    }。このままでよければEnterを押してください。
as-if-there-were = { $why }選べるものとして答えてください。答えは無効ですが、ほかの人には分かりません。
somebody-all-the-same = それでも誰かの名前を挙げてください。
may-decline = { $question }（見送る場合は「{ typed-nobody }」）
answers = 名前を入力してください。{ $decline ->
         [yes] 見送る場合は「{ typed-nobody }」、
        *[no] { "" }
    }次に端末が来たときに答えるなら「{ typed-later }」。ほかに「{ typed-hint }」「{ typed-table }」「{ typed-status }」。
questions-too = 「?」で終わる英語の質問にも答えます。タブキーで補完できます。
for-everybodys-screen = 「{ typed }」は全員用の画面で使います。先に選ぶか、「{ typed-later }」と入力してください。
night-is-over = { $player }さん、夜が明けました。
refusal = できません：{ $reason }

## The console: its commands

help = { $command ->
         [vision] 誰かを占わせる
         [attack] 誰かを襲撃させる
         [do] カードのその他の行動（protect＝護衛など）
         [decline] 行動の見送りを記録する
         [vote] 投票で追放する（名前が複数なら同数）
         [ballot] 誰かに投票する、または誰にも投票しない（公開・秘密投票）
         [end] このフェーズを終える：誰も追放せず、見送れる人は見送る
         [undo] 直前の選択や手、数手、またはこのフェーズを取り消す
         [again] もう一度端末を渡し、選択を見直して変える
         [away] 離席を記録する
         [back] 復帰を記録する
         [table] 公開の表{ $secret ->
                 [yes] （またはゲームマスター用の表）
                *[no] { "" }
            }
         [status] ゲームの状況
         [numbers] 番号の一覧
         [help] この一覧
        *[quit] やめる（すべて保存されています）
    }
word-of-the-game = 「{ $name }」はゲームの言葉なので名前に使えません。別の名前にしてください
impossible-name = この名前は使えません：見えない文字や改行が入っているか、似た名前の人がいます。別の名前にしてください
only-in-case = 「{ $one }」と「{ $other }」は見分けがつきません。別の名前にしてください
not-understood = { $after ->
         [yes] 「{ $command }」の後の
        *[no] 末尾の
    }「{ $text }」が分かりません。書き方：{ $usage }
may-be = 「{ $text }」には候補が複数あります：{ $names }。{ $exactly ->
         [yes] 正確に
        *[no] もう少し
    }入力してください
who = 誰ですか？書き方：{ $usage }
unknown-name = 「{ $name }」{ $kind ->
         [player] という参加者はいません
         [command] というコマンドはありません
        *[other] は不明です
    }{ $n ->
         [0] （候補：{ $known }）
        *[other] 。{ $near }のことですか？
    }

## Pages on phones and the shared screen

page-title = 量子人狼
page-needs-script = このページにはJavaScriptが必要です。
page-choose-language = 言語
page-comma = 、
page-space = { "" }
page-cut-off = ホストとの接続が切れました。再接続しています… データは失われていません。Wi-Fiを確認してください。
page-sound = 音
page-vibration = 振動
page-awake = 画面を消さない
page-sending = 送信中…
page-no-answer = ホストから応答がありません。もう一度試してください。
page-private = この端末は人に見せないでください。あなただけの情報が表示されます。
page-join = 参加する
page-code = 今夜のコード
page-your-name = あなたの名前
page-join-next = 名前（次のゲームから参加）
page-which-seat = あなたの名前を選んでください
page-lobby = 開始前
page-here = { $n }人が参加しています
page-begin = 全員そろったので開始
page-first-begins = 全員そろったら{ $name }さんが開始します。
page-leave = 退出する
page-again = もう一度（席はそのまま）
page-again-draw = もう一度（席替え）
page-score = これまでの成績
page-waits = ゲームの途中です。次のゲームから参加できます。
page-choose-rules = 次のゲーム
page-code-is = コード：{ $code }
page-no-code = コードはホストの端末に表示されています。
page-rules = ルール
page-no-news = まだお知らせはありません。
page-older-news = 以前のお知らせ
page-news = お知らせ
page-table = 表
page-no-table = 表はまだ公開されていません。
page-people = 参加者
page-alive = 生存
page-dead = 死亡
page-away = 離席中
page-nobody = 棄権
page-nothing-asked = 今は何もすることがありません。
page-counts = 名前を選んで確定してください。全員が答えるまで変更できます。
page-counts-two = 名前を2つ選んで確定してください。全員が答えるまで変更できます。
page-as-if = 選べるものとして答えてください。答えは結果に影響しません。
page-refused = 次の人は襲撃できないと伝えられました：{ $names }。選び直してください。
page-decline = なし
page-confirm = 確定
page-change = 変更
page-answer = あなたの答え：{ $name }
page-own-sheet = あなたの記録
page-only-you = あなただけの情報です。
page-card = あなたのカード：{ $card }
page-number = あなたの番号：{ $number }
page-deck = カードと確率
page-chances = あなたの確率
page-vote = 投票
page-spoken = 口頭で投票してください。結果はゲームマスターが入力します。
page-second-vote = 同数票でした。決選投票：{ $names }。
page-voted-for = { $voter }：{ $name }
page-have-voted = 投票済み：{ $names }
page-waiting-votes = あと{ $n }票です
page-waiting-choices = あと{ $n }人の回答を待っています
page-paused = 一時停止中
page-you-are-dead = あなたは死亡しました。
page-dead-rules = 公開情報はすべて読めます。あなただけが知っていることは話さないでください。
page-who-was-what = 全員の役職
page-working = 誰が何を知り得たかを計算しています…
page-could-know = 誰が何を知り得たか
page-progress = 計算中：{ $done }／{ $total }
page-whose = 誰が知り得たか
page-about = 対象
page-by-facts = 各フェーズの終わりに、{ $viewer }さんが自分の記録とお知らせから知り得たこと
page-by-exact = 同じ表で、表の数値から分かることもすべて含めた場合
page-given-up = { $n }件の計算は時間がかかりすぎるか、大きすぎました。
page-whole-story = ゲームの全手順（すべての表とグラフつき）
page-share = 物語のページ（保存や共有ができます）
page-master = ゲームマスター
page-key = キー（ホストの端末に表示）
page-enter = 入る
page-sure = { $what }：よろしいですか？
page-end-phase = このフェーズを終える
page-end-pass = 終える（未回答は省略）
page-end-random = 終える（未回答はくじ）
page-undo = 直前の投票・フェーズを取り消す
page-undo-phase = このフェーズを取り消す
page-pause = 一時停止
page-resume = 再開
page-act-for = 代わりに操作
page-for-whom = 誰の代わりか
page-target = 対象
page-vision = 占う
page-attack = 襲撃する
page-link = 恋人にする
page-protect = 護衛する
page-heal = 救う
page-poison = 毒を盛る
page-take = 道連れにする
page-vote-off = 投票で追放
page-seats = 席
page-online = オンライン
page-offline = ページを閉じています
page-free = 空席
page-free-seat = { $name }さんの席を空ける
page-remove = { $name }さんを外す
page-is-away = { $name }さんは離席中
page-back = { $name }さんが復帰
page-show-secrets = 秘密をすべて表示
page-hide-secrets = 秘密を隠す
page-choices = 選択
page-no-choices = まだ誰も選んでいません。
page-no-votes = まだ誰も投票していません。
page-no-effect = 影響なし
page-waiting-for = 未回答：{ $names }
page-last-steps = 直近の出来事

## What the host answers

game-has-begun = ゲームはもう始まっています
game-not-begun = ゲームはまだ始まっていません
first-begins = 最初に参加した{ $player }さんがゲームを開始します
cannot-leave = ゲームは始まっています。帰る場合はゲームマスターに伝えてください
seat-taken = { $player }さんの席は使用中です。{ $begun ->
         [yes] 自分の席なら、ゲームマスターに空けてもらってください
        *[no] 別の名前にしてください
    }
name-too-long = 名前は1〜{ $n }文字にしてください
table-is-full = 満席です：参加できるのは{ $n }人までです
no-seat-here = この端末には席がありません。{ $master ->
         [yes] ゲームマスターのキーを入力してください
        *[no] まず参加してください
    }
seat-already = この端末はすでに{ $player }さんの席です。ページを再読み込みしてください
too-many-commands = 操作が多すぎます。少し待ってください
request-too-large = 送信できるのは{ $n }バイトまでです
no-such-host = 「{ $host }」というホストはありません。ホストに表示されているアドレスを使ってください
too-many-codes = コードの間違いが多すぎます。1分待ってください
wrong-code = ホストに表示されているコードと違います
too-many-pages = 開いているページが多すぎます。いくつか閉じてください
not-over = ゲームはまだ終わっていません
another-game = そのゲームは終わりました
as-usual = { $name ->
         [cards] なし
        *[other] 標準
    }
rules-in-short = { $rules ->
         [cisra] cisra：人狼に順位がある元祖
         [gekka] gekka：死者の役職は非公開
         [straat] straat：命を少しずつ失う
        *[other] ワンナイト人狼：10分、投票は1回
    }
minutes = { $n ->
         [0] 制限なし
        *[other] { $n }分
    }
report-not-ready = レポートはまだできていません。少し後でもう一度試してください
not-saved = ホストが保存できなかったため（{ $reason }）、実行されませんでした。これまでに確認された分は保存されています。ホストのディスクを空けて、もう一度試してください
about = ルール：{ $rules }{ $any ->
         [yes] 、{ $settings }
        *[no] { "" }
    }
setting = { WORD($name) }：{ WORD($value) }

## The rules on one page

rules-title = 「{ $rules }」のルール{ $deal ->
         [classical] （カード制）
        *[quantum] { "" }
    }
looking-card = { WORD($role) }1人{ $more ->
         [yes] 以上
        *[no] { "" }
    }
some-cards = { WORD($one) }{ $n }人
rules-introduction = { $deal ->
         [quantum] まだ誰にも役職はありません。{ $cards }と人狼と村人の配り方の一つ一つが、あり得る「世界」です。自分がどの役職でもあるつもりで行動してください。ゲームが進むにつれて世界は減っていきます。
        *[classical] 全員に秘密のカードがあります：{ $cards }、人狼、村人。人狼同士はお互いを知っています。どの行動についても全員に聞きますが、答えが有効になるのは、その行動のあるカードを持つ人だけです。
    }
talk-and-vote = 議論してから投票で追放{ $n ->
         [1] { "" }
        *[other] （最大{ $n }人、1人ずつ）
    }
and-later = { $phase }…
and-so-on = 以下同様
what-they-do = { $who ->
         [all] 全員
         [possible] { $card }かもしれない全員
        *[card] { $card }
    }：{ $whom ->
         [two] 2人
         [any] 誰か1人
         [dead] 死者1人
        *[other] 自分以外の1人
    }{ $action ->
         [vision] を占う
         [attack] を襲撃する
         [link] を恋人にする
         [protect] を護衛する
         [heal] を救う
         [poison] に毒を盛る
        *[other] を選ぶ（{ $do }）
    }{ $compulsory ->
         [yes] { "" }
        *[no] （任意）
    }
acts-of = { $role }：{ $n ->
         [0] 行動なし
        *[other] { $acts }
    }。
rule-declared = { $role }：カードの働きは、それを定めたファイルにあります。
rule-wolves = 人狼：通常{ $n ->
         [0] 1人（8人から2人、13人から3人、20人から4人）
        *[other] { $n }人
    }、{ $ranked ->
         [yes] アルファ、ベータ…の順位があります
        *[no] 全員同じ順位です
    }。
rule-look = 占うと{ $shows ->
         [side] { WORD($good) }か{ WORD($evil) }かが分かります。{ WORD($looker) }は{ WORD($good) }です
         [kind] 村人・{ WORD($looker) }・人狼のどれかが分かります
        *[role] 正確な役職が分かります
    }。
rule-look-drawn = 結果は、あなたが{ $alive ->
         [yes] 生きている
        *[no] { "" }
    }{ WORD($looker) }である世界{ $nightfall ->
         [yes] （日没時点）
        *[no] { "" }
    }の中から抽選されます{ $alive ->
         [yes] 。そのような世界がなければ何も見えません
        *[no] { "" }
    }。あなたが{ WORD($looker) }でない世界は残ります。
rule-attack = { $quantum ->
         [yes] あなたが人狼のリーダー（生きている中で最上位の人狼）である世界では、襲撃された相手が死亡します。その世界で相手も人狼なら、その世界は消えます。
        *[no] 人狼のリーダーは、生きている中で最上位の人狼です。他の人狼による襲撃や、人狼への襲撃は効果がありません。
    }
rule-attack-refused = あなたがリーダーである世界がなくなる襲撃はできません。それを知らされるのはあなただけです。
rule-bite = 襲撃すると、{ $quantum ->
         [yes] あなたが人狼で相手が人狼でない世界では、
        *[no] 相手が人狼でなければ、
    }相手は命の一部（1÷{ $intended ->
         [yes] 生きている人狼の数
        *[no] 人狼の数
    }）を失います。同じ相手をもう一度襲撃すると、前の襲撃と置き換わります。あなたが死ぬと、あなたの襲撃は{ $intended ->
         [yes] 消えます
        *[no] 残ります
    }。
rule-targets = 誰が誰を占い、襲撃したかは全員に知らされます。
rule-order = 夜は{ $order ->
         [random] 無作為な順番
        *[number] 番号順
    }で、それぞれ占い、次に襲撃を行います。
rule-announced = 発表されるもの：{ $shows ->
         [death] 死亡のみ（役職は非公開）
         [side] { WORD($good) }か{ WORD($evil) }か
         [kind] 村人・{ WORD($looker) }・人狼のどれか
        *[role] 正確な役職
    }。
rule-voted-off = 投票で1人が追放されます。{ $role ->
         [drawn] 役職は抽選されます。
         [from-others] その人がすでに死亡している世界は消え、役職は残りの世界から抽選されます。
         [from-all] 役職は、その人がすでに死亡している世界も含むすべての世界から抽選されます。
        *[card] { "" }
    }{ $told }
rule-news = { $whom ->
         [all] 全員
         [asked] 聞かれた人
        *[concerned] 関係する人
    }には、誰が{ WORD($word) }かが知らされます。
rule-follows = これは{ $moment ->
         [once] すぐに
         [phase] 各フェーズの終わりに
         [found] 死者が見つかるときに
        *[morning] 朝に
    }適用されます。
rule-seen-as = この役職の人を占うと、「{ $card }」と出ます。
rule-votes = どの世界でもその役職だと決まると、投票は{ $n }票に数えられます。
rule-found-dead = { $fractional ->
         [yes] { $quantum ->
                 [yes] 世界の平均で
                *[no] { "" }
            }命をすべて失った人
        *[no] { $quantum ->
                 [yes] すべての世界で死亡している人
                *[no] 殺された人
            }
    }は死体で発見されます：{ $order ->
         [lowest] 番号の小さい順に1人ずつ、そのたびに全員を調べ直します
         [rounds] 席順に1人ずつ、何巡も繰り返します
        *[together] 全員同時に見つかり、その後もう一度全員を調べます
    }。{ $quantum ->
         [yes] 役職は抽選されます。
        *[no] { "" }
    }{ $told }
rule-told = { $told ->
         [role] あなたに残った役職が一つだけになると、その役職が伝えられます。
         [kind] あなたが村人・{ WORD($looker) }・人狼のどれかに確定すると、それが伝えられます。
        *[probabilities] 各フェーズの初めに、自分の確率が伝えられます。
    }
rule-no-table = 表は公開されません。
rule-table = 表は{ $times ->
         [morning] 毎朝
         [nightfall] 開始時と毎晩
         [morning-nightfall] 毎朝、および開始時と毎晩
        *[nightfall-morning] 開始時と毎晩、および毎朝
    }公開されます。{ $anonymous ->
         [yes] 各番号
        *[no] 各参加者
    }について、次に当てはまる世界の割合を示します：{ WORD($facts) }。
rule-own-number = 知らされるのは自分の番号だけです。
rule-certain-deaths = 表の死亡欄は、確定したものだけを示します。
rule-number-of-worlds = 表は残っている世界の数を示します。
rule-good-wins = 村人陣営（村人と{ WORD($looker) }）は、{ $when ->
         [all-dead] すべての世界で人狼が全員死亡したとき
         [known-dead] 誰が人狼かが確定し、その全員の死亡も確定したとき
         [none-living] 生存者の誰も、どの世界でも人狼でなくなったとき
        *[cards] 人狼が全員死亡したとき
    }勝利します。
rule-evil-wins = 人狼陣営は、{ $when ->
         [parity] 誰が人狼かが確定し、すべての世界で生存者の半数以上が人狼であるとき
         [known-half] 生存者の半数以上が、人狼であることも生存も確定したとき
         [all-wolves] すべての世界で生存者が全員人狼であるとき
         [cards-all] 生存者が全員人狼になったとき
        *[cards-half] 生存者の半数以上が人狼になったとき
    }勝利します。
rule-not-counted = ここでは次の役職を生存者に数えません：{ WORD($cards) }。
rule-collapse = { $when ->
         [annihilation] 誰も勝っていなくても、すべての世界でどちらかの陣営が全滅していれば、世界を一つ抽選して勝敗を決めます。
        *[parity] 誰も勝っていなくても、すべての世界で生存者の半数以上が人狼なら、世界を一つ抽選して勝敗を決めます。
    }
rule-draw = 生存者がいなくなれば引き分けです。
rule-tested = 決着は{ $after ->
         [phase] 各フェーズの後
        *[vote] 投票の後だけ
    }に判定します{ $before ->
         [yes] 。投票の後は、他の死者が発見される前にも判定します
        *[no] { "" }
    }。
rule-winning = 生死にかかわらず、自分の陣営が勝ち{ $quantum ->
         [yes] 、その陣営の一員だと確定していれ
        *[no] さえすれ
    }ば、あなたの勝ちです。

## One Night

place = { $n ->
         [0] { $player }さん
        *[other] 中央{ $n }
    }
card-of = { $n ->
         [0] { $own ->
                 [yes] { $told ->
                         [yes] 自分のカード
                        *[no] 自分のカード
                    }
                *[no] { $player }さんのカード
            }
        *[other] 中央のカード{ $n }
    }
card-at = { $place }（{ WORD($card) }）
night-dealt = 配られたカードは{ WORD($card) }です。
night-knows = { $n ->
         [0] ほかに{ WORD($what) }はいません
        *[other] { WORD($what) }：{ $names }
    }。
night-move = { $own ->
         [yes] あなた
        *[no] { $actor }さん
    }は{ $order ->
         [nothing] 何もしませんでした
         [looks] { LIST($looks) }を見ました
         [swaps] { LIST($swapped) }を交換しました
         [swaps-looks] { LIST($swapped) }を交換して、{ LIST($looks) }を見ました
        *[other] { LIST($looks) }を見て、{ LIST($swapped) }を交換しました
    }{ $named ->
             [yes] （{ $name }）
            *[no] { "" }
        }。
night-question = { $order ->
         [looks] どのカードを見ますか？
         [own] 自分のカードをどのカードと交換しますか？
        *[other] どのカードを交換しますか？
    }
night-nothing = あなたのカードでは、選ぶことは何もありません。
stage = { $stage ->
         [night] 夜
         [day] 昼
        *[over] ゲーム終了
    }
night-settings = ワンナイト人狼、{ $n }人。カード：{ LIST(WORD($cards)) }。中央に{ $middle }枚。
night-too-many = 夜に起こり得たことが多すぎるため、それぞれのカードの確率は示せません。
night-result = あなたの今のカードは{ WORD($card) }です。あなたの{ $won ->
         [yes] 勝ち
        *[no] 負け
    }です。
night-winners = { $n ->
         [0] 勝者はいません。
        *[other] 勝者：{ $names }。
    }
night-not-here = ワンナイト人狼ではできません
night-vote-for-one = 全員が、誰か1人に投票します
night-by-day = 投票の前に、夜のことを話し合ってください。
night-hand-round = 夜が終わりました。見たものを全員が読めるように、端末をもう一度回します。
night-story = 夜の出来事
night-rules-title = ワンナイト人狼のルール
night-rules-introduction = 全員に1枚ずつカードを配り、中央に{ $middle }枚置きます。カード：{ LIST(WORD($cards)) }。夜には、役割のあるカードを配られた人が、表の順にカードを見たり交換したりします。途中で手元のカードが変わっても、配られたカードの役割を行います。昼は全員で自由に話し合います。その後、全員が同時に投票します。最も票の多い人は、2票以上なら死亡します。最後に手元にあるカードで勝敗が決まります。
night-rules-village = 人狼が1人でも死亡するか、誰も死亡せず人狼が1人もいなければ、村の勝ちです。
night-rules-wolves = 人狼がいて、人狼が1人も死亡しなければ、人狼とその仲間の勝ちです。
night-rules-minion = 人狼が1人もいないときは、ほかの誰かが死亡すれば手下の勝ちです。

## The story of a game

phase-ends = フェーズが終わります。
game-begins = ゲームが始まります。
episode = { $step }、{ $phase }：{ $told }［{ worlds }］
step-of-story = { $step }手目：{ $told }［{ worlds }］
report-title = 量子人狼：{ $rules }
still-running = ゲームはまだ終わっていません：今は{ $phase }、残りは{ worlds }です。
who-won = { $verdict ->
         [draw] 引き分け
         [wolves] 人狼陣営の勝利
         [village] 村人陣営の勝利
         [lovers] 恋人陣営の勝利
         [fox] 妖狐の勝利
        *[other] { WORD($verdict) }の勝利
    }{ $forced ->
         [yes] （強制的な収縮による）
        *[no] { "" }
    }。{ left-in-all }
plots = グラフ
plot-of-the-table = 最後の表（濃いほど確率が高い）
plot-of-a-column = ゲーム中の「{ WORD($fact) }」の推移（×印は死亡）
what-changed = { $changed ->
         [yes] このフェーズで変わったこと：
        *[no] 表に変化はありません。
    }
table-made-public = 公開された表：
no-role = { WORD($role) }ではない

## 終わったあとの物語

tale-title = 「{ $rules }」のゲームの物語
tale-deaths = 死亡した人
tale-rise = { $phase }：{ $told }死亡：{ $before } → { $after }。
tale-course = { $bars } { $before } → { $after }
tale-counts = 効果があるのは、{ $actor }さんが{ $card }である世界だけです（全体の{ $share }）。
tale-chances = 確率の移り変わり
tale-chances-note = 開始時と各フェーズの終わりに、それが当てはまる世界の割合です。棒が高いほど割合が大きくなります。
tale-turns = 転機
tale-turn = { $phase }：{ $told }世界：{ $before } → { $after }。
tale-knowledge = 誰が何をいつ知り得たか
tale-reading = { $reading ->
         [facts] 自分の記録とお知らせから、自分の役職、まだ生きている人狼、まだ生きている占い師を初めて知り得たのは、どのフェーズの終わりかを示します。
        *[exact] 同じ表で、公開された表の数字から導けることもすべて使った場合です。
    }
tale-missing = { $count }問のうち{ $n }問は省きました。時間がかかりすぎたか、大きすぎたか、まだ答えが出ていません。もっと早く知り得たかもしれません。

## Words of the game

word-villager = 村人
word-villagers = 村人
word-seer = 占い師
word-seers = 占い師
word-wolf = 人狼
word-wolves = 人狼
word-werewolf = 人狼
word-werewolves = 人狼
word-human = 人間
word-good = 村人側
word-evil = 人狼側
word-dead = 死亡
word-alive = 生存
word-cupid = キューピッド
word-cupids = キューピッド
word-hunter = ハンター
word-hunters = ハンター
word-bodyguard = 狩人
word-bodyguards = 狩人
word-witch = 魔女
word-witches = 魔女
word-fox = 妖狐
word-foxes = 妖狐
word-drunk = 酔っ払い
word-drunks = 酔っ払い
word-minion = 手下
word-mason = 共有者
word-robber = 怪盗
word-troublemaker = いたずらっ子
word-insomniac = 不眠症
word-alpha = アルファ
word-beta = ベータ
word-gamma = ガンマ
word-delta = デルタ
word-epsilon = イプシロン
word-vision = 占い
word-attack = 襲撃
word-take = 道連れ
word-link = 恋人選び
word-protect = 護衛
word-heal = 救命
word-poison = 毒薬
word-linked = 恋人
word-in-love = 恋人
word-attacked = 襲われた人
word-lovers = 恋人陣営
word-village = 村人陣営
word-draw = 引き分け
word-player = 参加者
word-number = 番号
word-role = 役職
word-died = 死亡
word-result = 結果
word-won = 勝ち
word-lost = 負け
word-the-table = 表
word-quantum = 量子
word-classical = カード
word-secret = 非公開
word-public = 公開
word-targets = 対象
word-deal = 方式
word-ballot = 投票方法
word-spoken = 口頭
word-open = 公開
word-phase = フェーズ
word-what-you-do = 行動
word-a-wolf = 人狼
word-every-wolf = すべての人狼
word-the-leading-wolf = 人狼のリーダー
word-rule-of-cupid = キューピッドは最初の夜に2人を恋人にします。片方が死ぬともう片方も死にます。恋人だけが残れば恋人の勝ちです。
word-rule-of-hunter = 死亡したハンターは、他の1人を道連れにします。
word-rule-of-bodyguard = 狩人は毎晩、自分以外の1人を護衛します。その夜の襲撃ではその人は死にません。
word-rule-of-witch = 夜明けに魔女は、一度だけその夜に殺された人を救い、一度だけ別の人に毒を盛れます。
word-rule-of-fox = 妖狐はどの陣営にも属しません。襲撃では死にませんが、占われると死にます。最後まで生きていれば勝ちです。
word-rule-of-drunk = 酔っ払いは自分を占い師だと思い込み、逆の結果を見ます。
word-card = カード
word-games = ゲーム数
word-rule_set = ルール
word-cards = 追加カード
word-suggested = おすすめ
word-night_seconds = 夜の制限時間
word-day_seconds = 昼の制限時間
word-chance = 確率
word-place = 場所
word-at-night = 夜の行動
word-dealt = 配られたカード
word-at-the-end = 最後のカード
word-rule-of-night-wolf = 人狼は互いを知ります。人狼が1人だけなら、中央のカードを1枚見ることができます。
word-rule-of-night-minion = 手下は誰が人狼かを知ります。人狼の仲間です。
word-rule-of-night-mason = 共有者は互いを知ります。
word-rule-of-night-seer = 占い師は、ほかの人のカード1枚か、中央のカード2枚を見ます。
word-rule-of-night-robber = 怪盗は、自分のカードをほかの人のカードと交換できます。交換したら新しいカードを見ます。
word-rule-of-night-troublemaker = いたずらっ子は、ほかの2人のカードを、見ずに交換できます。
word-rule-of-night-drunk = 酔っ払いは、自分のカードを、見ずに中央のカードと交換します。
word-rule-of-night-insomniac = 不眠症は、夜の終わりに自分のカードを見ます。
word-rule-of-night-villager = 村人は夜には何もしません。
word-and = と
