/** Limits of what models may cost and use. */
export const modelLimits = {
  modelLimits: {
    title: 'Spending limits',
    lede: 'Calls that begin at a limit are refused until the period ends or the limit is raised. All models count. An empty field is no limit.',
    none: 'No limit is set. A limit warns in time, and refuses calls beyond it.',
    set: 'Set a limit',
    change: 'Change the limits',
    monthCost: 'Cost in a month',
    monthTokens: 'Tokens in a month',
    dayCost: 'Cost in a day',
    dayTokens: 'Tokens in a day',
    tokensHint: 'Also of models without prices.',
    warnPercent: 'Notify administrators at percent',
    warns: (percent: number) => `Administrators are notified at ${percent} % and at the limit.`,
    of: (used: string, limit: string) => `${used} of ${limit}`,
    reached: 'Reached:',
    resets: 'Begins again',
    forecast: 'At this rate at the end of the month:',
    unpriced: 'Without prices:',
    unpricedHelp: 'A limit of cost cannot count their calls. Give them prices, or limit the tokens.',
  },
}
