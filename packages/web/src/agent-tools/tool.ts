import type { groups, Sent } from '@millrace/contract'

/** A tool as a request has it. */
export type Tool = NonNullable<Sent<(typeof groups)['agent']['run']>['body']['tools']>[number]

/** A tool as it is written, with members that no form has. */
export type GivenTool = Readonly<Record<string, unknown>>
