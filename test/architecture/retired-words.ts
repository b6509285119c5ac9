/**
 * Words and phrases that Galley's code, comments and pages do not use: old-fashioned English, and names
 * that were replaced. One regular expression for each line, matched without regard to case.
 */
export const retiredWords = String.raw`
anew
befall|befalls|befell
whoever|whomever|whosoever
thereof|whereof|therein|wherein|thereby|whereby
shall
howmanyeth
hitherto|henceforth
told of|tells of|tell of
has to do with
makes sure of
takes turns|its turn
come again|comes again
to nobody|of no use
who asks
atCommit
onceOf
AreOperations
IfGiven
@Operates
touchedInTime|isAsSeen
farewell
horizon
notifier
misbehaving
`
  .trim()
  .split('\n');
