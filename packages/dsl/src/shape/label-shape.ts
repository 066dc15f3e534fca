import { openObject, text } from './build.ts'
import type { ObjectRule } from './shape.ts'

/** Labels of one workflow. */
export const labelsMax = 10
/** Characters of the expression of a label: it is compiled and evaluated while its start waits. */
export const labelTextMax = 1_000

/** A name stands before a colon in addresses and search fields, so it has no colon, comma or white space. */
const labelName = /^\p{L}[\p{L}\p{M}\p{N}_.-]{0,39}$/u

export function isLabelName(name: string): boolean {
  return labelName.test(name)
}

const fewAndNamed: ObjectRule = (value) => {
  const names = Object.keys(value)
  if (names.length > labelsMax)
    return {
      code: 'invalid_value',
      message: `A workflow has at most ${labelsMax} labels, and these are ${names.length}.`,
      hint: 'Keep those by which people look for a run, such as the number of an order.',
    }
  const wrong = names.find((name) => !isLabelName(name))
  if (wrong !== undefined)
    return {
      code: 'invalid_value',
      key: wrong,
      message: `${JSON.stringify(wrong.slice(0, 60))} is not possible as the name of a label.`,
      hint: 'Use 1 to 40 letters, digits, "_", "-" and ".", with a letter first.',
    }
  const long = names.find((name) => typeof value[name] === 'string' && value[name].length > labelTextMax)
  if (long === undefined) return undefined
  return {
    code: 'invalid_value',
    key: long,
    message: `The label "${long}" has more than ${labelTextMax} characters.`,
    hint: 'A label is short: an expression such as ${ .orderId }. Compute longer ones where the input is made.',
  }
}

/** Names with texts, each an expression over the input of the execution if it is wholly `${ … }`. */
export const labels = openObject('the labels of runs', {}, text, { rule: fewAndNamed })
