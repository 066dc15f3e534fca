/** The one stretch in which two texts differ. */
export interface TextDifference {
  /** The offset of the first difference. */
  readonly from: number
  /** Where it ends in the text before, and in the text after. */
  readonly beforeEnd: number
  readonly afterEnd: number
}

/** The shortest stretch whose replacement makes one text of the other; undefined when they are equal. */
export function changeOf(before: string, after: string): TextDifference | undefined {
  if (before === after) return undefined
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before.charCodeAt(from) === after.charCodeAt(from)) from++
  let common = 0
  while (common < most - from && before.charCodeAt(before.length - 1 - common) === after.charCodeAt(after.length - 1 - common)) common++
  return { from, beforeEnd: before.length - common, afterEnd: after.length - common }
}
