/** What follows while no one decides: the cards of approvals that have it load them themselves. */
export const escalations = {
  also: (time: string, who: string) => `Without a decision by ${time}, ${who} can decide as well.`,
  instead: (time: string, who: string) => `Without a decision by ${time}, it is left to ${who}.`,
  notice: (time: string, who: string) => `Without a decision by ${time}, a notice goes to ${who}.`,
  obstacle: {
    no_one: 'No one who may decide can be reached.',
    too_few: 'More people have to approve than can still decide.',
  },
  obstacleAdvice: {
    no_one: {
      admin:
        'Let another person decide, after an invitation where the account has no other, or cancel the run and name other approvers in the workflow.',
      other: 'Ask an administrator of the account to let another person decide.',
    },
    too_few: {
      admin: 'Reject it, or cancel the run, and require fewer people or name more approvers in the workflow.',
      other: 'Ask an administrator of the account to cancel the run and to change the approvers of the workflow.',
    },
  },
}
