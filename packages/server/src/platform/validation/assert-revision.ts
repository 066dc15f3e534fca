import { Fault } from '@millrace/contract'

/**
 * Fault `revision_mismatch` if a thing is at another revision than those at which its change was made.
 * @param thing such as `trigger`
 * @param expected of `If-Match`; undefined for any.
 */
export function assertRevision(thing: string, revision: number, expected: readonly number[] | undefined): void {
  if (expected?.includes(revision) === false)
    throw new Fault('revision_mismatch', { detail: `The ${thing} is at revision ${revision}. Read it again and repeat the change.` })
}
