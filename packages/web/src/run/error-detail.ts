import { roleWithoutModel } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { type UnfitArgument, unfitArguments } from '#src/run/unfit-arguments.ts'

/** The detail of an error; of one that names operations and settings of the server, in the words of the page. */
export function errorDetail(detail: string): string {
  const role = roleWithoutModel(detail)
  if (role !== undefined) return m.ownModels.missing(m.ownModels.roleNames[role])
  // The engine keeps its text, which a replay compares with the record.
  return unfitArguments(detail)?.map(argumentWords).join('\n') ?? detail
}

function argumentWords({ argument, called, detail, type }: UnfitArgument): string {
  const { unfitArgument, unfitType, typeNames } = m.runView
  return unfitArgument(
    argument,
    called,
    type
      ? unfitType(
          type.wanted.map((name) => typeNames[name]),
          typeNames[type.is],
        )
      : detail,
  )
}
