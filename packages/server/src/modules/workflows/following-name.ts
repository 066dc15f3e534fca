import type { Tx } from '#platform/http/index.ts'
import type { DefinitionReader } from './definition-reader.ts'
import { freeNames, type Naming } from './free-names.ts'
import { documentNameOf } from './importing/from-template.ts'
import type { Workflow } from './model.ts'
import type { FollowingDraft, PreparedDefinition } from './prepared-change.ts'
import { findByDocumentName } from './store.ts'

interface FollowingDeps {
  readonly reader: Pick<DefinitionReader, 'renamed'>
  readonly prepare: (source: string) => Promise<PreparedDefinition>
}

/**
 * Prepares the draft of a workflow under a document name that follows its new name. Undefined where the document keeps its name: since the first version others
 * may refer to it, and a name that was not made from the one of the workflow was chosen.
 */
export async function followingDraft(
  accountId: string,
  of: Workflow,
  name: string | undefined,
  naming: Naming,
  { reader, prepare }: FollowingDeps,
): Promise<FollowingDraft | undefined> {
  const { latest, documentName: before, draft, invalidDraft } = of
  const wanted = name === undefined || name === of.name ? '' : documentNameOf(name)
  if (wanted === '' || latest !== undefined || !isMadeFrom(of.name, before)) return undefined
  const documentName = await freeName(of, wanted, naming)
  if (documentName === before) return undefined
  const renamed = (source: string) => reader.renamed(accountId, { source }, documentName, before)
  return {
    of,
    draft: await prepare(await renamed(draft.source)),
    invalidSource: invalidDraft && (await renamed(invalidDraft.source)),
  }
}

/** A following draft, unless the draft was changed or its name was taken since it was prepared. */
export async function stillFollowing(
  tx: Tx,
  accountId: string,
  { draft, invalidDraft }: Workflow,
  prepared: FollowingDraft | undefined,
): Promise<FollowingDraft | undefined> {
  if (prepared === undefined || prepared.of.draft.source !== draft.source) return undefined
  if (prepared.of.invalidDraft?.source !== invalidDraft?.source) return undefined
  const { namespace, name: documentName } = prepared.draft.read.definition.document
  return (await findByDocumentName(tx, accountId, { namespace, documentName })) === undefined ? prepared : undefined
}

/** Whether a document name is that of a name, with the number or the few characters that made it free. */
function isMadeFrom(name: string, documentName: string): boolean {
  const plain = documentNameOf(name)
  return plain !== '' && documentName.startsWith(plain) && /^(?:-[a-z0-9]{1,4})?$/.test(documentName.slice(plain.length))
}

/** The name, with a number where another workflow has it. */
async function freeName({ namespace, documentName }: Workflow, wanted: string, { takenNames, skipped }: Naming): Promise<string> {
  const ofOthers: Naming['takenNames'] = async (place) => new Set([...(await takenNames(place))].filter((name) => name !== documentName))
  return (await freeNames({ name: '', documentName: wanted, namespace }, { takenNames: ofOthers, skipped })).documentName
}
