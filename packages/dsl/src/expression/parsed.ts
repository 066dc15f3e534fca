import { JqSyntaxError } from '@millrace/jq'
import { parse } from '@millrace/jq/syntax'

/** A part of a jq program. */
export type Node = ReturnType<typeof parse>

/** A jq source as a tree; undefined where it has a mistake, which is a finding elsewhere. */
export function parsed(source: string): Node | undefined {
  try {
    return parse(source)
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    return undefined
  }
}
