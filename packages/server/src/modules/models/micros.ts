const microsPerUnit = 1_000_000

/** An amount of money in millionths, in which costs are counted. */
export const microsOf = (amount: number): number => Math.round(amount * microsPerUnit)

export const amountOf = (micros: number): number => micros / microsPerUnit
