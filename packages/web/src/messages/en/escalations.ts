/** What follows while no one decides: the cards of approvals that have it load them themselves. */
export const escalations = {
  also: (time: string, who: string) => `Without a decision by ${time}, ${who} can decide as well.`,
  instead: (time: string, who: string) => `Without a decision by ${time}, it is left to ${who}.`,
  notice: (time: string, who: string) => `Without a decision by ${time}, a notice goes to ${who}.`,
}
