/** What an execution is about, as its definition says it: a value by which people find it, or why it has no value. */
export type Label = { readonly name: string; readonly value: string } | { readonly name: string; readonly problem: string }

/** Characters of a value. */
export const LABEL_VALUE_MAX = 200
/** Characters of a problem. */
export const LABEL_PROBLEM_MAX = 300
