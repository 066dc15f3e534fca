import { roleWithoutModel } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'
import { type UnfitArgument, unfitArguments } from '#src/run/unfit-arguments.ts'
import { ownOrder } from '#src/values/format.ts'

/** Errors of the definition itself: their status is always the same, and says nothing to a person. */
const withoutStatus = /\/errors\/(?:configuration|validation|expression|timeout|runtime)$/

/** An error in a few words: its title, after the status of the service that gave it. */
export function errorWords({ type, status, title = '' }: Pick<NonNullable<TimelineEntry['error']>, 'type' | 'status' | 'title'>): string {
  if (title === '') return String(status)
  return ownOrder(withoutStatus.test(type) ? title : `${status} ${title}`)
}

/** The detail of an error; of one that names operations and settings of the server, in the words of the page. */
export function errorDetail(detail: string): string {
  const role = roleWithoutModel(detail)
  if (role !== undefined) return m.ownModels.missing(m.ownModels.roleNames[role])
  // The engine keeps its text, which a replay compares with the record.
  return unfitArguments(detail)?.map(argumentWords).join('\n') ?? detail
}

function argumentWords({ argument, called, detail, type }: UnfitArgument): string {
  const { unfitArgument, unfitType, typeNames } = m.runView
  const reason =
    type === undefined
      ? detail
      : unfitType(
          type.wanted.map((name) => typeNames[name]),
          typeNames[type.is],
        )
  return unfitArgument(argument, called, reason)
}
