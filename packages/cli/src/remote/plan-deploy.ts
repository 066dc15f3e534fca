import type { Reply, workflows } from '@millrace/contract'
import { canonicalJson, type Definition } from '@millrace/dsl'
import { printableLine } from '#terminal/printable.ts'

/** A workflow of the server with its draft, as it was read. */
export type PresentWorkflow = Reply<typeof workflows.get>

/** A file and the workflow that it would change. */
export interface Target {
  readonly text: string
  readonly definition: Definition
  /** Undefined if the server has none with this document name. */
  readonly present: PresentWorkflow | undefined
}

export type Plan = { readonly action: 'created' | 'changed' | 'unchanged' } | { readonly action: 'refused'; readonly reason: string }

/** What a deployment of a file does. */
export function planDeploy(
  { text, definition, present }: Target,
  { draft, replaceDraft }: { readonly draft: boolean; readonly replaceDraft: boolean },
): Plan {
  if (present === undefined) return { action: 'created' }
  const { hasUnpublishedChanges: hasDraft, valid, source } = present
  if (hasDraft && !replaceDraft && !(valid && isSame(present.definition, definition)))
    return { action: 'refused', reason: draftReason(present, nameOf(definition), ' that are not in the file') }
  return { action: valid && source === text && (draft || !hasDraft) ? 'unchanged' : 'changed' }
}

/** The definitions that have a document name in common with an earlier one, with the file of that one. */
export function sameNames(
  files: readonly { readonly file: string; readonly definition?: Definition | undefined }[],
): readonly { readonly index: number; readonly first: number; readonly name: string }[] {
  const names = files.map(({ definition }) => (definition === undefined ? undefined : nameOf(definition)))
  return names.flatMap((name, index) => {
    const first = names.indexOf(name)
    return name === undefined || first === index ? [] : [{ index, first, name }]
  })
}

function nameOf({ document: { namespace, name } }: Definition): string {
  return `${namespace}/${name}`
}

/** Comments and the order of members do not count. */
function isSame(one: PresentWorkflow['definition'], other: Definition): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

/** Why a draft is not overwritten: it has unpublished changes, with who made the last one and when. */
export function draftReason({ id, updatedAt, ...present }: PresentWorkflow, name: string, which = ''): string {
  return `the draft of ${name} (${id}) has unpublished changes${which}; ${changerOf(present)} changed it last, at ${updatedAt}`
}

function changerOf({ updatedBy, updatedByName }: Pick<PresentWorkflow, 'updatedBy' | 'updatedByName'>): string {
  const name = printableLine(updatedByName ?? updatedBy ?? 'someone who is not known')
  return updatedBy?.startsWith('key:') === true ? `the API key "${name}"` : name
}
