$( The syntax of formulas for the derivations that kripke_werewolf exports, and modus ponens. Every label contains
   a full stop, and no name of an atom, an agent or an event does, so they cannot be confused. $)

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

${
  ax.mp.1 $e |- ( ph -> ps ) $.  ax.mp.2 $e |- ph $.
  ax.mp $a |- ps $.
$}
