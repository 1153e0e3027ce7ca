$( Propositional logic for the derivations that kripke_werewolf exports: the syntax of formulas, three axioms
   and modus ponens, definitions of the other connectives, and the theorems that exported proofs use. Every
   label contains a full stop, and no name of an atom, an agent or an event does, so they cannot be confused. $)

$c |- wff num list ( ) -> ~ & | ^ <-> true false atleast atmost exactly 0 S , $.
$v ph ps ch th ta N L $.
v.ph $f wff ph $.
v.ps $f wff ps $.
v.ch $f wff ch $.
v.th $f wff th $.
v.ta $f wff ta $.
v.N $f num N $.
v.L $f list L $.

$( Formulas. `atleast ( S S 0 , p , q , r )` says that at least two of p, q and r are true. $)

w.im $a wff ( ph -> ps ) $.
w.not $a wff ~ ph $.
w.an $a wff ( ph & ps ) $.
w.or $a wff ( ph | ps ) $.
w.xo $a wff ( ph ^ ps ) $.
w.bi $a wff ( ph <-> ps ) $.
w.true $a wff true $.
w.false $a wff false $.
n.0 $a num 0 $.
n.s $a num S N $.
l.nil $a list $.
l.add $a list , ph L $.
w.atleast $a wff atleast ( N L ) $.
w.atmost $a wff atmost ( N L ) $.
w.exactly $a wff exactly ( N L ) $.

$( The axioms of implication and negation, and modus ponens. $)

ax.1 $a |- ( ph -> ( ps -> ph ) ) $.
ax.2 $a |- ( ( ph -> ( ps -> ch ) ) -> ( ( ph -> ps ) -> ( ph -> ch ) ) ) $.
ax.3 $a |- ( ( ~ ph -> ~ ps ) -> ( ps -> ph ) ) $.
${
  ax.mp.1 $e |- ( ph -> ps ) $.  ax.mp.2 $e |- ph $.
  ax.mp $a |- ps $.
$}

$( The other connectives: an equivalence is its two implications, and the others are defined by equivalences. $)

df.bi1 $a |- ( ( ph <-> ps ) -> ( ph -> ps ) ) $.
df.bi2 $a |- ( ( ph <-> ps ) -> ( ps -> ph ) ) $.
df.bi3 $a |- ( ( ph -> ps ) -> ( ( ps -> ph ) -> ( ph <-> ps ) ) ) $.
df.an $a |- ( ( ph & ps ) <-> ~ ( ph -> ~ ps ) ) $.
df.or $a |- ( ( ph | ps ) <-> ( ~ ph -> ps ) ) $.
df.xo $a |- ( ( ph ^ ps ) <-> ~ ( ph <-> ps ) ) $.
df.true $a |- true $.
df.false $a |- ( false <-> ~ true ) $.
df.atleast0 $a |- atleast ( 0 L ) $.
df.atleast1 $a |- ~ atleast ( S N ) $.
df.atleast2 $a |- ( atleast ( S N , ph L ) <-> ( ( ph -> atleast ( N L ) ) & ( ~ ph -> atleast ( S N L ) ) ) ) $.
df.atmost $a |- ( atmost ( N L ) <-> ~ atleast ( S N L ) ) $.
df.exactly $a |- ( exactly ( N L ) <-> ( atleast ( N L ) & atmost ( N L ) ) ) $.

$( Implication. $)

${
  im.1i.1 $e |- ph $.
  im.1i $p |- ( ps -> ph ) $=
    v.ph v.ps v.ph w.im v.ph v.ps ax.1 im.1i.1 ax.mp $.
$}
${
  im.2i.1 $e |- ( ph -> ( ps -> ch ) ) $.
  im.2i $p |- ( ( ph -> ps ) -> ( ph -> ch ) ) $=
    v.ph v.ps v.ch w.im w.im v.ph v.ps w.im v.ph v.ch w.im w.im v.ph v.ps v.ch ax.2 im.2i.1 ax.mp $.
$}
${
  im.mpd.1 $e |- ( ph -> ps ) $.  im.mpd.2 $e |- ( ph -> ( ps -> ch ) ) $.
  im.mpd $p |- ( ph -> ch ) $=
    v.ph v.ps w.im v.ph v.ch w.im v.ph v.ps v.ch im.mpd.2 im.2i im.mpd.1 ax.mp $.
$}
${
  im.syl.1 $e |- ( ph -> ps ) $.  im.syl.2 $e |- ( ps -> ch ) $.
  im.syl $p |- ( ph -> ch ) $=
    v.ph v.ps v.ch im.syl.1 v.ps v.ch w.im v.ph im.syl.2 im.1i im.mpd $.
$}
im.id $p |- ( ph -> ph ) $=
  v.ph v.ph v.ph w.im v.ph v.ph v.ph ax.1 v.ph v.ph v.ph w.im ax.1 im.mpd $.
${
  im.com.1 $e |- ( ph -> ( ps -> ch ) ) $.
  im.com $p |- ( ps -> ( ph -> ch ) ) $=
    v.ps v.ph v.ps w.im v.ph v.ch w.im v.ps v.ph ax.1 v.ph v.ps v.ch im.com.1 im.2i im.syl $.
$}
${
  im.syl2.1 $e |- ( ph -> ps ) $.  im.syl2.2 $e |- ( ph -> ch ) $.  im.syl2.3 $e |- ( ps -> ( ch -> th ) ) $.
  im.syl2 $p |- ( ph -> th ) $=
    v.ph v.ch v.th im.syl2.2 v.ph v.ps v.ch v.th w.im im.syl2.1 im.syl2.3 im.syl im.mpd $.
$}
im.left $p |- ( ( ps -> ch ) -> ( ( ph -> ps ) -> ( ph -> ch ) ) ) $=
  v.ps v.ch w.im v.ph v.ps v.ch w.im w.im v.ph v.ps w.im v.ph v.ch w.im w.im v.ps v.ch w.im v.ph ax.1 v.ph
  v.ps v.ch ax.2 im.syl $.
im.right $p |- ( ( ph -> ps ) -> ( ( ps -> ch ) -> ( ph -> ch ) ) ) $=
  v.ps v.ch w.im v.ph v.ps w.im v.ph v.ch w.im v.ph v.ps v.ch im.left im.com $.
im.mp $p |- ( ph -> ( ( ph -> ps ) -> ps ) ) $=
  v.ph v.ps w.im v.ph v.ps v.ph v.ps w.im im.id im.com $.
${
  im.1d.1 $e |- ( ph -> ps ) $.
  im.1d $p |- ( ph -> ( ch -> ps ) ) $=
    v.ph v.ps v.ch v.ps w.im im.1d.1 v.ps v.ch ax.1 im.syl $.
$}
${
  im.inner.1 $e |- ( ph -> ( ps -> ch ) ) $.  im.inner.2 $e |- ( ch -> th ) $.
  im.inner $p |- ( ph -> ( ps -> th ) ) $=
    v.ph v.ps v.ch w.im v.ps v.th w.im im.inner.1 v.ch v.th w.im v.ps v.ch w.im v.ps v.th w.im w.im v.ps v.ch
    v.th im.left im.inner.2 ax.mp im.syl $.
$}
${
  im.outer.1 $e |- ( ph -> ps ) $.  im.outer.2 $e |- ( ch -> ( ps -> th ) ) $.
  im.outer $p |- ( ch -> ( ph -> th ) ) $=
    v.ch v.ps v.th w.im v.ph v.th w.im im.outer.2 v.ph v.ps w.im v.ps v.th w.im v.ph v.th w.im w.im v.ph v.ps
    v.th im.right im.outer.1 ax.mp im.syl $.
$}
${
  im.syld.1 $e |- ( ph -> ( ps -> ch ) ) $.  im.syld.2 $e |- ( ph -> ( ch -> th ) ) $.
  im.syld $p |- ( ph -> ( ps -> th ) ) $=
    v.ph v.ps v.ch w.im v.ch v.th w.im v.ps v.th w.im im.syld.1 im.syld.2 v.ps v.ch v.th im.right im.syl2 $.
$}
${
  im.2d.1 $e |- ( ph -> ( ps -> ch ) ) $.
  im.2d.2 $e |- ( ph -> ( ps -> th ) ) $.
  im.2d.3 $e |- ( ch -> ( th -> ta ) ) $.
  im.2d $p |- ( ph -> ( ps -> ta ) ) $=
    v.ph v.ps v.th w.im v.ps v.ta w.im im.2d.2 v.ph v.ps v.th v.ta w.im w.im v.ps v.th w.im v.ps v.ta w.im
    w.im v.ph v.ps v.ch v.th v.ta w.im im.2d.1 im.2d.3 im.inner v.ps v.th v.ta ax.2 im.syl im.mpd $.
$}

$( Negation. $)

no.absurd $p |- ( ~ ph -> ( ph -> ps ) ) $=
  v.ph w.not v.ps w.not v.ph w.not w.im v.ph v.ps w.im v.ph w.not v.ps w.not ax.1 v.ps v.ph ax.3 im.syl $.
no.clavius $p |- ( ( ~ ph -> ph ) -> ph ) $=
  v.ph w.not v.ph w.im v.ph w.not v.ph w.im v.ph v.ph w.not v.ph w.im im.id v.ph w.not v.ph w.im v.ph w.not
  v.ph w.not v.ph w.im w.not w.im v.ph w.not v.ph w.im v.ph w.im v.ph w.not v.ph v.ph w.not v.ph w.im w.not
  v.ph v.ph w.not v.ph w.im w.not no.absurd im.2i v.ph v.ph w.not v.ph w.im ax.3 im.syl im.mpd $.
no.2r $p |- ( ~ ~ ph -> ph ) $=
  v.ph w.not w.not v.ph w.not v.ph w.im v.ph v.ph w.not v.ph no.absurd v.ph no.clavius im.syl $.
no.2 $p |- ( ph -> ~ ~ ph ) $=
  v.ph w.not w.not w.not v.ph w.not w.im v.ph v.ph w.not w.not w.im v.ph w.not w.not v.ph ax.3 v.ph w.not
  no.2r ax.mp $.
no.con $p |- ( ( ph -> ps ) -> ( ~ ps -> ~ ph ) ) $=
  v.ph v.ps w.im v.ph w.not w.not v.ps w.not w.not w.im v.ps w.not v.ph w.not w.im v.ph v.ps w.im v.ph w.not
  w.not v.ps w.im v.ph w.not w.not v.ps w.not w.not w.im v.ph w.not w.not v.ph w.im v.ph v.ps w.im v.ph
  w.not w.not v.ps w.im w.im v.ph w.not w.not v.ph v.ps im.right v.ph no.2r ax.mp v.ps v.ps w.not w.not w.im
  v.ph w.not w.not v.ps w.im v.ph w.not w.not v.ps w.not w.not w.im w.im v.ph w.not w.not v.ps v.ps w.not
  w.not im.left v.ps no.2 ax.mp im.syl v.ph w.not v.ps w.not ax.3 im.syl $.
no.con1 $p |- ( ( ~ ph -> ps ) -> ( ~ ps -> ph ) ) $=
  v.ph w.not v.ps w.im v.ps w.not v.ph w.not w.not w.im v.ps w.not v.ph w.im v.ph w.not v.ps no.con v.ph
  w.not w.not v.ph w.im v.ps w.not v.ph w.not w.not w.im v.ps w.not v.ph w.im w.im v.ps w.not v.ph w.not
  w.not v.ph im.left v.ph no.2r ax.mp im.syl $.
no.con2 $p |- ( ( ph -> ~ ps ) -> ( ps -> ~ ph ) ) $=
  v.ph v.ps w.not w.im v.ps w.not w.not v.ph w.not w.im v.ps v.ph w.not w.im v.ph v.ps w.not no.con v.ps
  v.ps w.not w.not w.im v.ps w.not w.not v.ph w.not w.im v.ps v.ph w.not w.im w.im v.ps v.ps w.not w.not
  v.ph w.not im.right v.ps no.2 ax.mp im.syl $.
${
  no.coni.1 $e |- ( ph -> ps ) $.
  no.coni $p |- ( ~ ps -> ~ ph ) $=
    v.ph v.ps w.im v.ps w.not v.ph w.not w.im v.ph v.ps no.con no.coni.1 ax.mp $.
$}
no.im $p |- ( ph -> ( ~ ps -> ~ ( ph -> ps ) ) ) $=
  v.ph v.ph v.ps w.im v.ps w.im v.ps w.not v.ph v.ps w.im w.not w.im v.ph v.ps im.mp v.ph v.ps w.im v.ps
  no.con im.syl $.

$( Equivalence. $)

${
  bi.i.1 $e |- ( ph -> ps ) $.  bi.i.2 $e |- ( ps -> ph ) $.
  bi.i $p |- ( ph <-> ps ) $=
    v.ps v.ph w.im v.ph v.ps w.bi v.ph v.ps w.im v.ps v.ph w.im v.ph v.ps w.bi w.im v.ph v.ps df.bi3 bi.i.1
    ax.mp bi.i.2 ax.mp $.
$}
${
  bi.d.1 $e |- ( ph -> ( ps -> ch ) ) $.  bi.d.2 $e |- ( ph -> ( ch -> ps ) ) $.
  bi.d $p |- ( ph -> ( ps <-> ch ) ) $=
    v.ph v.ps v.ch w.im v.ch v.ps w.im v.ps v.ch w.bi bi.d.1 bi.d.2 v.ps v.ch df.bi3 im.syl2 $.
$}
${
  bi.1i.1 $e |- ( ph <-> ps ) $.
  bi.1i $p |- ( ph -> ps ) $=
    v.ph v.ps w.bi v.ph v.ps w.im v.ph v.ps df.bi1 bi.1i.1 ax.mp $.
$}
${
  bi.2i.1 $e |- ( ph <-> ps ) $.
  bi.2i $p |- ( ps -> ph ) $=
    v.ph v.ps w.bi v.ps v.ph w.im v.ph v.ps df.bi2 bi.2i.1 ax.mp $.
$}
${
  bi.1d.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  bi.1d $p |- ( ph -> ( ps -> ch ) ) $=
    v.ph v.ps v.ch w.bi v.ps v.ch w.im bi.1d.1 v.ps v.ch df.bi1 im.syl $.
$}
${
  bi.2d.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  bi.2d $p |- ( ph -> ( ch -> ps ) ) $=
    v.ph v.ps v.ch w.bi v.ch v.ps w.im bi.2d.1 v.ps v.ch df.bi2 im.syl $.
$}
bi.id $p |- ( ph <-> ph ) $=
  v.ph v.ph v.ph im.id v.ph im.id bi.i $.
${
  bi.comi.1 $e |- ( ph <-> ps ) $.
  bi.comi $p |- ( ps <-> ph ) $=
    v.ps v.ph v.ph v.ps bi.comi.1 bi.2i v.ph v.ps bi.comi.1 bi.1i bi.i $.
$}
${
  bi.comd.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  bi.comd $p |- ( ph -> ( ch <-> ps ) ) $=
    v.ph v.ch v.ps v.ph v.ps v.ch bi.comd.1 bi.2d v.ph v.ps v.ch bi.comd.1 bi.1d bi.d $.
$}
bi.com $p |- ( ( ph <-> ps ) <-> ( ps <-> ph ) ) $=
  v.ph v.ps w.bi v.ps v.ph w.bi v.ph v.ps w.bi v.ps v.ph v.ph v.ps df.bi2 v.ph v.ps df.bi1 bi.d v.ps v.ph
  w.bi v.ph v.ps v.ps v.ph df.bi2 v.ps v.ph df.bi1 bi.d bi.i $.
${
  bi.trd.1 $e |- ( ph -> ( ps <-> ch ) ) $.  bi.trd.2 $e |- ( ph -> ( ch <-> th ) ) $.
  bi.trd $p |- ( ph -> ( ps <-> th ) ) $=
    v.ph v.ps v.th v.ph v.ps v.ch v.th v.ph v.ps v.ch bi.trd.1 bi.1d v.ph v.ch v.th bi.trd.2 bi.1d im.syld
    v.ph v.th v.ch v.ps v.ph v.ch v.th bi.trd.2 bi.2d v.ph v.ps v.ch bi.trd.1 bi.2d im.syld bi.d $.
$}
bi.not2 $p |- ( ~ ~ ph <-> ph ) $=
  v.ph w.not w.not v.ph v.ph no.2r v.ph no.2 bi.i $.
no.false $p |- ~ false $=
  w.true w.not w.not w.false w.not w.false w.true w.not w.false w.true w.not df.false bi.1i no.coni w.true
  w.true w.not w.not w.true no.2 df.true ax.mp ax.mp $.
${
  bi.half.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  bi.half $p |- ( ph -> ( ( ps <-> th ) -> ( ch <-> th ) ) ) $=
    v.ph v.ps v.th w.bi v.ch v.th w.im v.th v.ch w.im v.ch v.th w.bi v.ps v.th w.bi v.ps v.th w.im v.ph v.ch
    v.th w.im v.ps v.th df.bi1 v.ph v.ch v.ps w.im v.ps v.th w.im v.ch v.th w.im w.im v.ph v.ps v.ch bi.half.1
    bi.2d v.ch v.ps v.th im.right im.syl im.outer v.ps v.th w.bi v.th v.ps w.im v.ph v.th v.ch w.im v.ps v.th
    df.bi2 v.ph v.ps v.ch w.im v.th v.ps w.im v.th v.ch w.im w.im v.ph v.ps v.ch bi.half.1 bi.1d v.th v.ps
    v.ch im.left im.syl im.outer v.ch v.th df.bi3 im.2d $.
$}

$( Use of a definition, where ps is equivalent to ch: wherever ph holds, ps is equivalent to th if ch is (`df.r`),
   true if ch is (`df.t`), false if ch is (`df.f`); `df.fold` uses two definitions. $)

${
  df.r.1 $e |- ( ps <-> ch ) $.  df.r.2 $e |- ( ph -> ( ch <-> th ) ) $.
  df.r $p |- ( ph -> ( ps <-> th ) ) $=
    v.ph v.ps v.ch v.th v.ps v.ch w.bi v.ph df.r.1 im.1i df.r.2 bi.trd $.
$}
${
  df.t.1 $e |- ( ps <-> ch ) $.  df.t.2 $e |- ( ph -> ch ) $.
  df.t $p |- ( ph -> ps ) $=
    v.ph v.ch v.ps df.t.2 v.ps v.ch df.t.1 bi.2i im.syl $.
$}
${
  df.f.1 $e |- ( ps <-> ch ) $.  df.f.2 $e |- ( ph -> ~ ch ) $.
  df.f $p |- ( ph -> ~ ps ) $=
    v.ph v.ch w.not v.ps w.not df.f.2 v.ps v.ch v.ps v.ch df.f.1 bi.1i no.coni im.syl $.
$}
${
  df.fold.1 $e |- ( ps <-> ch ) $.
  df.fold.2 $e |- ( ph -> ( ch <-> th ) ) $.
  df.fold.3 $e |- ( ta <-> th ) $.
  df.fold $p |- ( ph -> ( ps <-> ta ) ) $=
    v.ph v.ps v.th v.ta v.ph v.ps v.ch v.th df.fold.1 df.fold.2 df.r v.th v.ta w.bi v.ph v.ta v.th df.fold.3
    bi.comi im.1i bi.trd $.
$}

$( The value of a connective wherever ph holds, from the values of its parts ps and th there. The letters after
   the full stop are about the first and the second part: t true, f false, r equivalent to another formula
   (ch, ta), s the same as elsewhere, x anything. For a negation, n is equivalent to the negation of ch. $)

${
  not.t.1 $e |- ( ph -> ps ) $.
  not.t $p |- ( ph -> ~ ~ ps ) $=
    v.ph v.ps v.ps w.not w.not not.t.1 v.ps no.2 im.syl $.
$}
${
  not.r.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  not.r $p |- ( ph -> ( ~ ps <-> ~ ch ) ) $=
    v.ph v.ps w.not v.ch w.not v.ph v.ch v.ps w.im v.ps w.not v.ch w.not w.im v.ph v.ps v.ch not.r.1 bi.2d
    v.ch v.ps no.con im.syl v.ph v.ps v.ch w.im v.ch w.not v.ps w.not w.im v.ph v.ps v.ch not.r.1 bi.1d v.ps
    v.ch no.con im.syl bi.d $.
$}
${
  not.n.1 $e |- ( ph -> ( ps <-> ~ ch ) ) $.
  not.n $p |- ( ph -> ( ~ ps <-> ch ) ) $=
    v.ph v.ps w.not v.ch v.ph v.ch w.not v.ps w.im v.ps w.not v.ch w.im v.ph v.ps v.ch w.not not.n.1 bi.2d
    v.ch v.ps no.con1 im.syl v.ph v.ps v.ch w.not w.im v.ch v.ps w.not w.im v.ph v.ps v.ch w.not not.n.1 bi.1d
    v.ps v.ch no.con2 im.syl bi.d $.
$}
${
  im.xt.1 $e |- ( ph -> th ) $.
  im.xt $p |- ( ph -> ( ps -> th ) ) $=
    v.ph v.th v.ps im.xt.1 im.1d $.
$}
${
  im.fx.1 $e |- ( ph -> ~ ps ) $.
  im.fx $p |- ( ph -> ( ps -> th ) ) $=
    v.ph v.ps w.not v.ps v.th w.im im.fx.1 v.ps v.th no.absurd im.syl $.
$}
${
  im.tf.1 $e |- ( ph -> ps ) $.  im.tf.2 $e |- ( ph -> ~ th ) $.
  im.tf $p |- ( ph -> ~ ( ps -> th ) ) $=
    v.ph v.ps v.th w.not v.ps v.th w.im w.not im.tf.1 im.tf.2 v.ps v.th no.im im.syl2 $.
$}
${
  im.ts.1 $e |- ( ph -> ps ) $.
  im.ts $p |- ( ph -> ( ( ps -> th ) <-> th ) ) $=
    v.ph v.ps v.th w.im v.th v.ph v.ps v.ps v.th w.im v.th w.im im.ts.1 v.ps v.th im.mp im.syl v.th v.ps v.th
    w.im w.im v.ph v.th v.ps ax.1 im.1i bi.d $.
$}
${
  im.tr.1 $e |- ( ph -> ps ) $.  im.tr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  im.tr $p |- ( ph -> ( ( ps -> th ) <-> ta ) ) $=
    v.ph v.ps v.th w.im v.th v.ta v.ph v.ps v.th im.tr.1 im.ts im.tr.2 bi.trd $.
$}
${
  im.sf.1 $e |- ( ph -> ~ th ) $.
  im.sf $p |- ( ph -> ( ( ps -> th ) <-> ~ ps ) ) $=
    v.ph v.ps v.th w.im v.ps w.not v.ph v.th w.not v.ps v.th w.im v.ps w.not w.im im.sf.1 v.ps v.th w.im v.th
    w.not v.ps w.not v.ps v.th no.con im.com im.syl v.ps w.not v.ps v.th w.im w.im v.ph v.ps v.th no.absurd
    im.1i bi.d $.
$}
${
  im.rf.1 $e |- ( ph -> ( ps <-> ch ) ) $.  im.rf.2 $e |- ( ph -> ~ th ) $.
  im.rf $p |- ( ph -> ( ( ps -> th ) <-> ~ ch ) ) $=
    v.ph v.ps v.th w.im v.ps w.not v.ch w.not v.ph v.ps v.th im.rf.2 im.sf v.ph v.ps v.ch im.rf.1 not.r bi.trd
    $.
$}
${
  im.rs.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  im.rs $p |- ( ph -> ( ( ps -> th ) <-> ( ch -> th ) ) ) $=
    v.ph v.ps v.th w.im v.ch v.th w.im v.ph v.ch v.ps w.im v.ps v.th w.im v.ch v.th w.im w.im v.ph v.ps v.ch
    im.rs.1 bi.2d v.ch v.ps v.th im.right im.syl v.ph v.ps v.ch w.im v.ch v.th w.im v.ps v.th w.im w.im v.ph
    v.ps v.ch im.rs.1 bi.1d v.ps v.ch v.th im.right im.syl bi.d $.
$}
${
  im.sr.1 $e |- ( ph -> ( th <-> ta ) ) $.
  im.sr $p |- ( ph -> ( ( ps -> th ) <-> ( ps -> ta ) ) ) $=
    v.ph v.ps v.th w.im v.ps v.ta w.im v.ph v.th v.ta w.im v.ps v.th w.im v.ps v.ta w.im w.im v.ph v.th v.ta
    im.sr.1 bi.1d v.ps v.th v.ta im.left im.syl v.ph v.ta v.th w.im v.ps v.ta w.im v.ps v.th w.im w.im v.ph
    v.th v.ta im.sr.1 bi.2d v.ps v.ta v.th im.left im.syl bi.d $.
$}
${
  im.rr.1 $e |- ( ph -> ( ps <-> ch ) ) $.  im.rr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  im.rr $p |- ( ph -> ( ( ps -> th ) <-> ( ch -> ta ) ) ) $=
    v.ph v.ps v.th w.im v.ch v.th w.im v.ch v.ta w.im v.ph v.ps v.ch v.th im.rr.1 im.rs v.ph v.ch v.th v.ta
    im.rr.2 im.sr bi.trd $.
$}
${
  an.fx.1 $e |- ( ph -> ~ ps ) $.
  an.fx $p |- ( ph -> ~ ( ps & th ) ) $=
    v.ph v.ps v.th w.an v.ps v.th w.not w.im w.not v.ps v.th df.an v.ph v.ps v.th w.not w.im v.ph v.ps v.th
    w.not an.fx.1 im.fx not.t df.f $.
$}
${
  an.xf.1 $e |- ( ph -> ~ th ) $.
  an.xf $p |- ( ph -> ~ ( ps & th ) ) $=
    v.ph v.ps v.th w.an v.ps v.th w.not w.im w.not v.ps v.th df.an v.ph v.ps v.th w.not w.im v.ph v.ps v.th
    w.not an.xf.1 im.xt not.t df.f $.
$}
${
  an.tt.1 $e |- ( ph -> ps ) $.  an.tt.2 $e |- ( ph -> th ) $.
  an.tt $p |- ( ph -> ( ps & th ) ) $=
    v.ph v.ps v.th w.an v.ps v.th w.not w.im w.not v.ps v.th df.an v.ph v.ps v.th w.not an.tt.1 v.ph v.th
    an.tt.2 not.t im.tf df.t $.
$}
${
  an.ts.1 $e |- ( ph -> ps ) $.
  an.ts $p |- ( ph -> ( ( ps & th ) <-> th ) ) $=
    v.ph v.ps v.th w.an v.ps v.th w.not w.im w.not v.th v.ps v.th df.an v.ph v.ps v.th w.not w.im v.th v.ph
    v.ps v.th w.not an.ts.1 im.ts not.n df.r $.
$}
${
  an.tr.1 $e |- ( ph -> ps ) $.  an.tr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  an.tr $p |- ( ph -> ( ( ps & th ) <-> ta ) ) $=
    v.ph v.ps v.th w.an v.th v.ta v.ph v.ps v.th an.tr.1 an.ts an.tr.2 bi.trd $.
$}
${
  an.st.1 $e |- ( ph -> th ) $.
  an.st $p |- ( ph -> ( ( ps & th ) <-> ps ) ) $=
    v.ph v.ps v.th w.an v.ps v.th w.not w.im w.not v.ps v.ps v.th df.an v.ph v.ps v.th w.not w.im v.ps v.ph
    v.ps v.th w.not v.ph v.th an.st.1 not.t im.sf not.n df.r $.
$}
${
  an.rt.1 $e |- ( ph -> ( ps <-> ch ) ) $.  an.rt.2 $e |- ( ph -> th ) $.
  an.rt $p |- ( ph -> ( ( ps & th ) <-> ch ) ) $=
    v.ph v.ps v.th w.an v.ps v.ch v.ph v.ps v.th an.rt.2 an.st an.rt.1 bi.trd $.
$}
${
  an.rs.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  an.rs $p |- ( ph -> ( ( ps & th ) <-> ( ch & th ) ) ) $=
    v.ph v.ps v.th w.an v.ps v.th w.not w.im w.not v.ch v.th w.not w.im w.not v.ch v.th w.an v.ps v.th df.an
    v.ph v.ps v.th w.not w.im v.ch v.th w.not w.im v.ph v.ps v.ch v.th w.not an.rs.1 im.rs not.r v.ch v.th
    df.an df.fold $.
$}
${
  an.sr.1 $e |- ( ph -> ( th <-> ta ) ) $.
  an.sr $p |- ( ph -> ( ( ps & th ) <-> ( ps & ta ) ) ) $=
    v.ph v.ps v.th w.an v.ps v.th w.not w.im w.not v.ps v.ta w.not w.im w.not v.ps v.ta w.an v.ps v.th df.an
    v.ph v.ps v.th w.not w.im v.ps v.ta w.not w.im v.ph v.ps v.th w.not v.ta w.not v.ph v.th v.ta an.sr.1
    not.r im.sr not.r v.ps v.ta df.an df.fold $.
$}
${
  an.rr.1 $e |- ( ph -> ( ps <-> ch ) ) $.  an.rr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  an.rr $p |- ( ph -> ( ( ps & th ) <-> ( ch & ta ) ) ) $=
    v.ph v.ps v.th w.an v.ch v.th w.an v.ch v.ta w.an v.ph v.ps v.ch v.th an.rr.1 an.rs v.ph v.ch v.th v.ta
    an.rr.2 an.sr bi.trd $.
$}
${
  or.tx.1 $e |- ( ph -> ps ) $.
  or.tx $p |- ( ph -> ( ps | th ) ) $=
    v.ph v.ps v.th w.or v.ps w.not v.th w.im v.ps v.th df.or v.ph v.ps w.not v.th v.ph v.ps or.tx.1 not.t
    im.fx df.t $.
$}
${
  or.xt.1 $e |- ( ph -> th ) $.
  or.xt $p |- ( ph -> ( ps | th ) ) $=
    v.ph v.ps v.th w.or v.ps w.not v.th w.im v.ps v.th df.or v.ph v.ps w.not v.th or.xt.1 im.xt df.t $.
$}
${
  or.ff.1 $e |- ( ph -> ~ ps ) $.  or.ff.2 $e |- ( ph -> ~ th ) $.
  or.ff $p |- ( ph -> ~ ( ps | th ) ) $=
    v.ph v.ps v.th w.or v.ps w.not v.th w.im v.ps v.th df.or v.ph v.ps w.not v.th or.ff.1 or.ff.2 im.tf df.f
    $.
$}
${
  or.fs.1 $e |- ( ph -> ~ ps ) $.
  or.fs $p |- ( ph -> ( ( ps | th ) <-> th ) ) $=
    v.ph v.ps v.th w.or v.ps w.not v.th w.im v.th v.ps v.th df.or v.ph v.ps w.not v.th or.fs.1 im.ts df.r $.
$}
${
  or.fr.1 $e |- ( ph -> ~ ps ) $.  or.fr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  or.fr $p |- ( ph -> ( ( ps | th ) <-> ta ) ) $=
    v.ph v.ps v.th w.or v.th v.ta v.ph v.ps v.th or.fr.1 or.fs or.fr.2 bi.trd $.
$}
${
  or.sf.1 $e |- ( ph -> ~ th ) $.
  or.sf $p |- ( ph -> ( ( ps | th ) <-> ps ) ) $=
    v.ph v.ps v.th w.or v.ps w.not v.th w.im v.ps v.ps v.th df.or v.ph v.ps w.not v.th w.im v.ps w.not w.not
    v.ps v.ph v.ps w.not v.th or.sf.1 im.sf v.ps w.not w.not v.ps w.bi v.ph v.ps bi.not2 im.1i bi.trd df.r $.
$}
${
  or.rf.1 $e |- ( ph -> ( ps <-> ch ) ) $.  or.rf.2 $e |- ( ph -> ~ th ) $.
  or.rf $p |- ( ph -> ( ( ps | th ) <-> ch ) ) $=
    v.ph v.ps v.th w.or v.ps v.ch v.ph v.ps v.th or.rf.2 or.sf or.rf.1 bi.trd $.
$}
${
  or.rs.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  or.rs $p |- ( ph -> ( ( ps | th ) <-> ( ch | th ) ) ) $=
    v.ph v.ps v.th w.or v.ps w.not v.th w.im v.ch w.not v.th w.im v.ch v.th w.or v.ps v.th df.or v.ph v.ps
    w.not v.ch w.not v.th v.ph v.ps v.ch or.rs.1 not.r im.rs v.ch v.th df.or df.fold $.
$}
${
  or.sr.1 $e |- ( ph -> ( th <-> ta ) ) $.
  or.sr $p |- ( ph -> ( ( ps | th ) <-> ( ps | ta ) ) ) $=
    v.ph v.ps v.th w.or v.ps w.not v.th w.im v.ps w.not v.ta w.im v.ps v.ta w.or v.ps v.th df.or v.ph v.ps
    w.not v.th v.ta or.sr.1 im.sr v.ps v.ta df.or df.fold $.
$}
${
  or.rr.1 $e |- ( ph -> ( ps <-> ch ) ) $.  or.rr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  or.rr $p |- ( ph -> ( ( ps | th ) <-> ( ch | ta ) ) ) $=
    v.ph v.ps v.th w.or v.ch v.th w.or v.ch v.ta w.or v.ph v.ps v.ch v.th or.rr.1 or.rs v.ph v.ch v.th v.ta
    or.rr.2 or.sr bi.trd $.
$}
${
  bi.tt.1 $e |- ( ph -> ps ) $.  bi.tt.2 $e |- ( ph -> th ) $.
  bi.tt $p |- ( ph -> ( ps <-> th ) ) $=
    v.ph v.ps v.th v.ph v.th v.ps bi.tt.2 im.1d v.ph v.ps v.th bi.tt.1 im.1d bi.d $.
$}
${
  bi.ff.1 $e |- ( ph -> ~ ps ) $.  bi.ff.2 $e |- ( ph -> ~ th ) $.
  bi.ff $p |- ( ph -> ( ps <-> th ) ) $=
    v.ph v.ps v.th v.ph v.ps v.th bi.ff.1 im.fx v.ph v.th v.ps bi.ff.2 im.fx bi.d $.
$}
${
  bi.tf.1 $e |- ( ph -> ps ) $.  bi.tf.2 $e |- ( ph -> ~ th ) $.
  bi.tf $p |- ( ph -> ~ ( ps <-> th ) ) $=
    v.ph v.ps v.th w.im w.not v.ps v.th w.bi w.not v.ph v.ps v.th bi.tf.1 bi.tf.2 im.tf v.ps v.th w.bi v.ps
    v.th w.im v.ps v.th df.bi1 no.coni im.syl $.
$}
${
  bi.ft.1 $e |- ( ph -> ~ ps ) $.  bi.ft.2 $e |- ( ph -> th ) $.
  bi.ft $p |- ( ph -> ~ ( ps <-> th ) ) $=
    v.ph v.th v.ps w.im w.not v.ps v.th w.bi w.not v.ph v.th v.ps bi.ft.2 bi.ft.1 im.tf v.ps v.th w.bi v.th
    v.ps w.im v.ps v.th df.bi2 no.coni im.syl $.
$}
${
  bi.ts.1 $e |- ( ph -> ps ) $.
  bi.ts $p |- ( ph -> ( ( ps <-> th ) <-> th ) ) $=
    v.ph v.ps v.th w.bi v.th v.ph v.ps v.ps v.th w.bi v.th w.im bi.ts.1 v.ps v.th w.bi v.ps v.th v.ps v.th
    df.bi1 im.com im.syl v.ph v.ps v.th v.ps v.th w.bi w.im bi.ts.1 v.ps v.th v.ps w.im v.th v.ps v.th w.bi
    w.im v.ps v.th ax.1 v.th v.th v.ps w.im v.ps v.th w.bi v.th v.ps v.th w.im v.th v.ps w.im v.ps v.th w.bi
    w.im v.th v.ps ax.1 v.ps v.th df.bi3 im.syl im.com im.syl im.syl bi.d $.
$}
${
  bi.tr.1 $e |- ( ph -> ps ) $.  bi.tr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  bi.tr $p |- ( ph -> ( ( ps <-> th ) <-> ta ) ) $=
    v.ph v.ps v.th w.bi v.th v.ta v.ph v.ps v.th bi.tr.1 bi.ts bi.tr.2 bi.trd $.
$}
${
  bi.st.1 $e |- ( ph -> th ) $.
  bi.st $p |- ( ph -> ( ( ps <-> th ) <-> ps ) ) $=
    v.ph v.ps v.th w.bi v.th v.ps w.bi v.ps v.ps v.th bi.com v.ph v.th v.ps bi.st.1 bi.ts df.r $.
$}
${
  bi.rt.1 $e |- ( ph -> ( ps <-> ch ) ) $.  bi.rt.2 $e |- ( ph -> th ) $.
  bi.rt $p |- ( ph -> ( ( ps <-> th ) <-> ch ) ) $=
    v.ph v.ps v.th w.bi v.ps v.ch v.ph v.ps v.th bi.rt.2 bi.st bi.rt.1 bi.trd $.
$}
${
  bi.fs.1 $e |- ( ph -> ~ ps ) $.
  bi.fs $p |- ( ph -> ( ( ps <-> th ) <-> ~ th ) ) $=
    v.ph v.ps v.th w.bi v.th w.not v.ph v.ps w.not v.ps v.th w.bi v.th w.not w.im bi.fs.1 v.ps v.th w.bi v.ps
    w.not v.th w.not v.ps v.th w.bi v.th v.ps w.im v.ps w.not v.th w.not w.im v.ps v.th df.bi2 v.th v.ps
    no.con im.syl im.com im.syl v.ph v.ps w.not v.th w.not v.ps v.th w.bi w.im bi.fs.1 v.th w.not v.th v.ps
    w.im v.ps w.not v.ps v.th w.bi v.th v.ps no.absurd v.ps w.not v.ps v.th w.im v.th v.ps w.im v.ps v.th w.bi
    w.im v.ps v.th no.absurd v.ps v.th df.bi3 im.syl im.outer im.syl bi.d $.
$}
${
  bi.fr.1 $e |- ( ph -> ~ ps ) $.  bi.fr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  bi.fr $p |- ( ph -> ( ( ps <-> th ) <-> ~ ta ) ) $=
    v.ph v.ps v.th w.bi v.th w.not v.ta w.not v.ph v.ps v.th bi.fr.1 bi.fs v.ph v.th v.ta bi.fr.2 not.r bi.trd
    $.
$}
${
  bi.sf.1 $e |- ( ph -> ~ th ) $.
  bi.sf $p |- ( ph -> ( ( ps <-> th ) <-> ~ ps ) ) $=
    v.ph v.ps v.th w.bi v.th v.ps w.bi v.ps w.not v.ps v.th bi.com v.ph v.th v.ps bi.sf.1 bi.fs df.r $.
$}
${
  bi.rf.1 $e |- ( ph -> ( ps <-> ch ) ) $.  bi.rf.2 $e |- ( ph -> ~ th ) $.
  bi.rf $p |- ( ph -> ( ( ps <-> th ) <-> ~ ch ) ) $=
    v.ph v.ps v.th w.bi v.ps w.not v.ch w.not v.ph v.ps v.th bi.rf.2 bi.sf v.ph v.ps v.ch bi.rf.1 not.r bi.trd
    $.
$}
${
  bi.rs.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  bi.rs $p |- ( ph -> ( ( ps <-> th ) <-> ( ch <-> th ) ) ) $=
    v.ph v.ps v.th w.bi v.ch v.th w.bi v.ph v.ps v.ch v.th bi.rs.1 bi.half v.ph v.ch v.ps v.th v.ph v.ps v.ch
    bi.rs.1 bi.comd bi.half bi.d $.
$}
${
  bi.sr.1 $e |- ( ph -> ( th <-> ta ) ) $.
  bi.sr $p |- ( ph -> ( ( ps <-> th ) <-> ( ps <-> ta ) ) ) $=
    v.ph v.ps v.th w.bi v.th v.ps w.bi v.ta v.ps w.bi v.ps v.ta w.bi v.ps v.th bi.com v.ph v.th v.ta v.ps
    bi.sr.1 bi.rs v.ps v.ta bi.com df.fold $.
$}
${
  bi.rr.1 $e |- ( ph -> ( ps <-> ch ) ) $.  bi.rr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  bi.rr $p |- ( ph -> ( ( ps <-> th ) <-> ( ch <-> ta ) ) ) $=
    v.ph v.ps v.th w.bi v.ch v.th w.bi v.ch v.ta w.bi v.ph v.ps v.ch v.th bi.rr.1 bi.rs v.ph v.ch v.th v.ta
    bi.rr.2 bi.sr bi.trd $.
$}
${
  xo.tt.1 $e |- ( ph -> ps ) $.  xo.tt.2 $e |- ( ph -> th ) $.
  xo.tt $p |- ( ph -> ~ ( ps ^ th ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.ps v.th df.xo v.ph v.ps v.th w.bi v.ph v.ps v.th xo.tt.1
    xo.tt.2 bi.tt not.t df.f $.
$}
${
  xo.ff.1 $e |- ( ph -> ~ ps ) $.  xo.ff.2 $e |- ( ph -> ~ th ) $.
  xo.ff $p |- ( ph -> ~ ( ps ^ th ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.ps v.th df.xo v.ph v.ps v.th w.bi v.ph v.ps v.th xo.ff.1
    xo.ff.2 bi.ff not.t df.f $.
$}
${
  xo.tf.1 $e |- ( ph -> ps ) $.  xo.tf.2 $e |- ( ph -> ~ th ) $.
  xo.tf $p |- ( ph -> ( ps ^ th ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.ps v.th df.xo v.ph v.ps v.th xo.tf.1 xo.tf.2 bi.tf df.t $.
$}
${
  xo.ft.1 $e |- ( ph -> ~ ps ) $.  xo.ft.2 $e |- ( ph -> th ) $.
  xo.ft $p |- ( ph -> ( ps ^ th ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.ps v.th df.xo v.ph v.ps v.th xo.ft.1 xo.ft.2 bi.ft df.t $.
$}
${
  xo.fs.1 $e |- ( ph -> ~ ps ) $.
  xo.fs $p |- ( ph -> ( ( ps ^ th ) <-> th ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.th v.ps v.th df.xo v.ph v.ps v.th w.bi v.th v.ph v.ps v.th
    xo.fs.1 bi.fs not.n df.r $.
$}
${
  xo.fr.1 $e |- ( ph -> ~ ps ) $.  xo.fr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  xo.fr $p |- ( ph -> ( ( ps ^ th ) <-> ta ) ) $=
    v.ph v.ps v.th w.xo v.th v.ta v.ph v.ps v.th xo.fr.1 xo.fs xo.fr.2 bi.trd $.
$}
${
  xo.sf.1 $e |- ( ph -> ~ th ) $.
  xo.sf $p |- ( ph -> ( ( ps ^ th ) <-> ps ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.ps v.ps v.th df.xo v.ph v.ps v.th w.bi v.ps v.ph v.ps v.th
    xo.sf.1 bi.sf not.n df.r $.
$}
${
  xo.rf.1 $e |- ( ph -> ( ps <-> ch ) ) $.  xo.rf.2 $e |- ( ph -> ~ th ) $.
  xo.rf $p |- ( ph -> ( ( ps ^ th ) <-> ch ) ) $=
    v.ph v.ps v.th w.xo v.ps v.ch v.ph v.ps v.th xo.rf.2 xo.sf xo.rf.1 bi.trd $.
$}
${
  xo.ts.1 $e |- ( ph -> ps ) $.
  xo.ts $p |- ( ph -> ( ( ps ^ th ) <-> ~ th ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.th w.not v.ps v.th df.xo v.ph v.ps v.th w.bi v.th v.ph v.ps
    v.th xo.ts.1 bi.ts not.r df.r $.
$}
${
  xo.tr.1 $e |- ( ph -> ps ) $.  xo.tr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  xo.tr $p |- ( ph -> ( ( ps ^ th ) <-> ~ ta ) ) $=
    v.ph v.ps v.th w.xo v.th w.not v.ta w.not v.ph v.ps v.th xo.tr.1 xo.ts v.ph v.th v.ta xo.tr.2 not.r bi.trd
    $.
$}
${
  xo.st.1 $e |- ( ph -> th ) $.
  xo.st $p |- ( ph -> ( ( ps ^ th ) <-> ~ ps ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.ps w.not v.ps v.th df.xo v.ph v.ps v.th w.bi v.ps v.ph v.ps
    v.th xo.st.1 bi.st not.r df.r $.
$}
${
  xo.rt.1 $e |- ( ph -> ( ps <-> ch ) ) $.  xo.rt.2 $e |- ( ph -> th ) $.
  xo.rt $p |- ( ph -> ( ( ps ^ th ) <-> ~ ch ) ) $=
    v.ph v.ps v.th w.xo v.ps w.not v.ch w.not v.ph v.ps v.th xo.rt.2 xo.st v.ph v.ps v.ch xo.rt.1 not.r bi.trd
    $.
$}
${
  xo.rs.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  xo.rs $p |- ( ph -> ( ( ps ^ th ) <-> ( ch ^ th ) ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.ch v.th w.bi w.not v.ch v.th w.xo v.ps v.th df.xo v.ph v.ps
    v.th w.bi v.ch v.th w.bi v.ph v.ps v.ch v.th xo.rs.1 bi.rs not.r v.ch v.th df.xo df.fold $.
$}
${
  xo.sr.1 $e |- ( ph -> ( th <-> ta ) ) $.
  xo.sr $p |- ( ph -> ( ( ps ^ th ) <-> ( ps ^ ta ) ) ) $=
    v.ph v.ps v.th w.xo v.ps v.th w.bi w.not v.ps v.ta w.bi w.not v.ps v.ta w.xo v.ps v.th df.xo v.ph v.ps
    v.th w.bi v.ps v.ta w.bi v.ph v.ps v.th v.ta xo.sr.1 bi.sr not.r v.ps v.ta df.xo df.fold $.
$}
${
  xo.rr.1 $e |- ( ph -> ( ps <-> ch ) ) $.  xo.rr.2 $e |- ( ph -> ( th <-> ta ) ) $.
  xo.rr $p |- ( ph -> ( ( ps ^ th ) <-> ( ch ^ ta ) ) ) $=
    v.ph v.ps v.th w.xo v.ch v.th w.xo v.ch v.ta w.xo v.ph v.ps v.ch v.th xo.rr.1 xo.rs v.ph v.ch v.th v.ta
    xo.rr.2 xo.sr bi.trd $.
$}

$( Conjunctions. $)

an.left $p |- ( ( ph & ps ) -> ph ) $=
  v.ph v.ps w.an v.ph v.ps w.not w.im w.not v.ph v.ph v.ps w.an v.ph v.ps w.not w.im w.not v.ph v.ps df.an
  bi.1i v.ph w.not v.ph v.ps w.not w.im w.im v.ph v.ps w.not w.im w.not v.ph w.im v.ph v.ph v.ps w.not w.im
  no.con1 v.ph v.ps w.not no.absurd ax.mp im.syl $.
an.right $p |- ( ( ph & ps ) -> ps ) $=
  v.ph v.ps w.an v.ph v.ps w.not w.im w.not v.ps v.ph v.ps w.an v.ph v.ps w.not w.im w.not v.ph v.ps df.an
  bi.1i v.ps w.not v.ph v.ps w.not w.im w.im v.ph v.ps w.not w.im w.not v.ps w.im v.ps v.ph v.ps w.not w.im
  no.con1 v.ps w.not v.ph ax.1 ax.mp im.syl $.
an.both $p |- ( ph -> ( ps -> ( ph & ps ) ) ) $=
  v.ph v.ps v.ph v.ps w.not w.im w.not v.ph v.ps w.an v.ph v.ph v.ps w.not w.im v.ps w.not w.im v.ps v.ph
  v.ps w.not w.im w.not w.im v.ph v.ps w.not im.mp v.ph v.ps w.not w.im v.ps no.con2 im.syl v.ph v.ps w.an
  v.ph v.ps w.not w.im w.not v.ph v.ps df.an bi.2i im.inner $.
${
  an.import.1 $e |- ( ph -> ( ps -> ch ) ) $.
  an.import $p |- ( ( ph & ps ) -> ch ) $=
    v.ph v.ps w.an v.ph v.ps v.ch v.ph v.ps an.left v.ph v.ps an.right an.import.1 im.syl2 $.
$}

$( Proof by cases. ps holds wherever ph does if it is equivalent there to a theorem (`use.r`). It holds everywhere
   if it does where ph is true and where ph is false; a letter for each case says how this is known: t proved,
   r equivalent to a theorem. $)

${
  use.r.1 $e |- ( ph -> ( ps <-> ch ) ) $.  use.r.2 $e |- ch $.
  use.r $p |- ( ph -> ps ) $=
    v.ph v.ch v.ps v.ch v.ph use.r.2 im.1i v.ph v.ps v.ch use.r.1 bi.2d im.mpd $.
$}
${
  case.tt.1 $e |- ( ph -> ps ) $.  case.tt.2 $e |- ( ~ ph -> ps ) $.
  case.tt $p |- ps $=
    v.ps w.not v.ps w.im v.ps v.ps no.clavius v.ps w.not v.ph w.not v.ps v.ph v.ps case.tt.1 no.coni case.tt.2
    im.syl ax.mp $.
$}
${
  case.rt.1 $e |- ( ph -> ( ps <-> ch ) ) $.  case.rt.2 $e |- ch $.  case.rt.3 $e |- ( ~ ph -> ps ) $.
  case.rt $p |- ps $=
    v.ph v.ps v.ph v.ps v.ch case.rt.1 case.rt.2 use.r case.rt.3 case.tt $.
$}
${
  case.tr.1 $e |- ( ph -> ps ) $.  case.tr.2 $e |- ( ~ ph -> ( ps <-> th ) ) $.  case.tr.3 $e |- th $.
  case.tr $p |- ps $=
    v.ph v.ps case.tr.1 v.ph w.not v.ps v.th case.tr.2 case.tr.3 use.r case.tt $.
$}
${
  case.rr.1 $e |- ( ph -> ( ps <-> ch ) ) $.
  case.rr.2 $e |- ch $.
  case.rr.3 $e |- ( ~ ph -> ( ps <-> th ) ) $.
  case.rr.4 $e |- th $.
  case.rr $p |- ps $=
    v.ph v.ps v.ph v.ps v.ch case.rr.1 case.rr.2 use.r v.ph w.not v.ps v.th case.rr.3 case.rr.4 use.r case.tt
    $.
$}
