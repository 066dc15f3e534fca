import { Fault } from '@millrace/contract'
import { toTypeId } from '#platform/ids.ts'
import type { Tx } from '#platform/http/index.ts'
import { assertRunnable, definitionOf, type ReadDefinition, refuseResources } from './definition.ts'
import type { DefinitionReader } from './definition-reader.ts'
import { type FromTemplateDeps, type FromTemplateOptions, newFromTemplate } from './from-template.ts'
import { type ListOptions, listWorkflows } from './list-workflows.ts'
import {
  isSameContent,
  type StoredDefinition,
  type LatestVersion,
  type NewVersion,
  type NewWorkflow,
  type PinnedResources,
  type Syntax,
  type Workflow,
  type WorkflowContent,
} from './model.ts'
import type { PinResources } from './pins.ts'
import { type RequirementsDeps, type Requirements, requirementsOf } from './requirements.ts'
import {
  type Authorship,
  deleteWorkflow,
  documentNameIndex,
  findVersion,
  findWorkflow,
  insertVersion,
  insertWorkflow,
  isKnown,
  lockWorkflow,
  updateWorkflow,
} from './store.ts'

export interface WorkflowsDeps extends RequirementsDeps, FromTemplateDeps {
  readonly now: () => number
  readonly newId: () => string
  readonly reader: DefinitionReader
  /** A transaction of its own, bound to the account. */
  readonly transaction: <T>(accountId: string, fn: (tx: Tx) => Promise<T>) => Promise<T>
  readonly pinResources: PinResources
}

/** The author of a change; `actor` has the form `kind:id`. */
export interface Author {
  readonly actor: string
}

/** Members that are `undefined` stay unchanged; a description of `null` is removed. */
export interface WorkflowChange {
  readonly definition: string | object | undefined
  readonly name: string | undefined
  readonly description: string | null | undefined
  readonly tags: readonly string[] | undefined
  readonly enabled: boolean | undefined
  /** Publishes the draft if it differs from the latest version; unless given, true with a definition. */
  readonly publish: boolean | undefined
}

/** A definition that was read; with its pinned resources if it will be published. */
export interface PreparedDefinition {
  readonly read: ReadDefinition
  readonly resources: PinnedResources | undefined
}

/** The preparation of a change: the new definition, or the draft that it publishes. */
export interface PreparedChange {
  readonly given: PreparedDefinition | undefined
  readonly draft: PreparedDefinition | undefined
}

/** A workflow with the requested definition. */
export interface RequestedDefinition {
  readonly workflow: Workflow
  readonly definition: StoredDefinition
  /** Number of the version; undefined for the draft. */
  readonly version: number | undefined
  /** The definition in canonical form. */
  readonly text: string
}

export type Workflows = ReturnType<typeof createWorkflows>

/** Creates, changes and reads the workflows of an account. A draft can change, a version never does. */
export function createWorkflows(deps: WorkflowsDeps) {
  const authorship = ({ actor }: Author): Authorship => ({ at: new Date(deps.now()), by: actor })

  /** Reads a definition and, if it will be published, fetches its external resources. May take long; writes nothing. */
  async function prepare(accountId: string, given: string | object, publishes: boolean): Promise<PreparedDefinition> {
    const read = await deps.reader.read(accountId, given, await deps.secretNames(accountId))
    await deps.reader.write(accountId, read.stored, 'yaml')
    if (!publishes) return { read, resources: undefined }
    assertRunnable(read)
    const { resources, failures } = await deps.pinResources(accountId, read.definition, read.definition.use?.secrets ?? [])
    const unusable = failures.map((failure) => ({ code: 'unusable_resource' as const, ...failure }))
    if (unusable.length > 0) refuseResources(await deps.reader.errorsAt(accountId, read, unusable))
    return { read, resources }
  }

  /** Returns the prepared draft. It was prepared before the transaction, so it must not have changed since. */
  function unchangedDraft(draft: StoredDefinition, prepared: PreparedDefinition | undefined): PreparedDefinition {
    if (prepared?.read.stored.checksum === draft.checksum) return prepared
    throw new Fault('revision_mismatch', { detail: 'The draft was changed while it was being published. Repeat the request.' })
  }

  /** The next version, from a definition that will be published. */
  function versionAfter(workflowId: string, latest: LatestVersion | undefined, { read, resources = {} }: PreparedDefinition): NewVersion {
    const { document, input } = read.definition
    return {
      id: deps.newId(),
      workflowId,
      number: (latest?.number ?? 0) + 1,
      documentVersion: document.version,
      checksInput: input?.schema !== undefined,
      definition: read.stored,
      resources,
    }
  }

  return {
    list: (tx: Tx, accountId: string, options: ListOptions) => listWorkflows(tx, accountId, options),

    fromTemplate: (templateId: string, options: FromTemplateOptions): Promise<NewWorkflow> => newFromTemplate(deps, templateId, options),

    /** Prepares `create`; call it before the transaction of `create`. */
    prepareCreate: (accountId: string, { definition, publish }: Pick<NewWorkflow, 'definition' | 'publish'>) =>
      prepare(accountId, definition, publish),

    async create(tx: Tx, accountId: string, given: NewWorkflow, prepared: PreparedDefinition, author: Author): Promise<Workflow> {
      const { read } = prepared
      const id = deps.newId()
      const version = given.publish ? versionAfter(id, undefined, prepared) : undefined
      const { document } = read.definition
      const content: WorkflowContent = {
        name: given.name ?? nameOf(document.title) ?? document.name,
        description: given.description ?? document.summary,
        tags: given.tags ?? [],
        namespace: document.namespace,
        documentName: document.name,
        enabled: true,
        triggers: read.triggers,
        draft: read.stored,
        latest: version && latestOf(version),
      }
      await refusingTakenNames(content, () => insertWorkflow(tx, accountId, { id, ...content }, authorship(author)))
      if (version !== undefined) await insertVersion(tx, accountId, version, authorship(author))
      return find(tx, accountId, id)
    },

    /** Reads in a transaction of its own, which ends before the text is serialised. */
    async get(accountId: string, id: string, number: number | undefined, syntax: Syntax): Promise<RequestedDefinition> {
      const found = await deps.transaction(accountId, async (tx) => {
        const workflow = await find(tx, accountId, id)
        if (number === undefined) return { workflow, definition: workflow.draft, version: undefined }
        const version = await findVersion(tx, accountId, id, number)
        if (version === undefined) throw new Fault('not_found', { detail: `The workflow has no version ${number}.` })
        return { workflow, definition: version.definition, version: number }
      })
      return { ...found, text: await deps.reader.write(accountId, found.definition, syntax) }
    },

    /** The text of a draft. The reader has it cached after the change was prepared. */
    textOf: (accountId: string, { draft }: Workflow): Promise<string> => deps.reader.write(accountId, draft, 'yaml'),

    /** Prepares `update`; call it before the transaction of `update`. */
    async prepareUpdate(accountId: string, id: string, { definition, publish }: WorkflowChange): Promise<PreparedChange> {
      if (definition !== undefined) return { given: await prepare(accountId, definition, publish ?? true), draft: undefined }
      const workflow = await deps.transaction(accountId, (tx) => findWorkflow(tx, accountId, id))
      if (workflow === undefined) return { given: undefined, draft: undefined }
      await deps.reader.write(accountId, workflow.draft, 'yaml')
      const differs = workflow.draft.checksum !== workflow.latest?.checksum
      return { given: undefined, draft: publish === true && differs ? await prepare(accountId, workflow.draft.source, true) : undefined }
    },

    async update(
      tx: Tx,
      accountId: string,
      id: string,
      change: WorkflowChange,
      { given, draft: prepared }: PreparedChange,
      options: Author & { readonly ifMatch: readonly number[] | undefined },
    ): Promise<Workflow> {
      const workflow = await findForChange(tx, accountId, id, options.ifMatch)
      const read = given?.read
      const draft = read?.stored ?? workflow.draft
      const publish = (change.publish ?? read !== undefined) && draft.checksum !== workflow.latest?.checksum
      const version = publish ? versionAfter(id, workflow.latest, given ?? unchangedDraft(draft, prepared)) : undefined
      const content: WorkflowContent = {
        name: change.name ?? workflow.name,
        description: change.description === undefined ? workflow.description : (change.description ?? undefined),
        tags: change.tags ?? workflow.tags,
        enabled: change.enabled ?? workflow.enabled,
        triggers: read?.triggers ?? workflow.triggers,
        draft,
        latest: version === undefined ? workflow.latest : latestOf(version),
        ...documentNameAfter(workflow, read, version),
      }
      if (isSameContent(workflow, content)) return workflow
      await refusingTakenNames(content, () => updateWorkflow(tx, accountId, { id, ...content }, authorship(options)))
      if (version !== undefined) await insertVersion(tx, accountId, version, authorship(options))
      return find(tx, accountId, id)
    },

    async remove(
      tx: Tx,
      accountId: string,
      id: string,
      options: Author & { readonly ifMatch: readonly number[] | undefined },
    ): Promise<void> {
      await findForChange(tx, accountId, id, options.ifMatch)
      await deleteWorkflow(tx, accountId, id, authorship(options))
    },

    /** Fault `not_found` for a workflow that never belonged to the account; a deleted workflow passes. */
    async assertKnown(tx: Tx, accountId: string, id: string): Promise<void> {
      if (!(await isKnown(tx, accountId, id))) throw new Fault('not_found', { detail: 'There is no such workflow.' })
    },

    async requirements(tx: Tx, accountId: string, id: string): Promise<Requirements> {
      const { draft, latest } = await find(tx, accountId, id)
      const version = latest === undefined ? undefined : await findVersion(tx, accountId, id, latest.number)
      return requirementsOf(deps, tx, accountId, definitionOf(version?.definition ?? draft))
    },
  }
}

async function find(tx: Tx, accountId: string, id: string): Promise<Workflow> {
  const workflow = await findWorkflow(tx, accountId, id)
  if (workflow === undefined) throw new Fault('not_found', { detail: 'There is no such workflow.' })
  return workflow
}

/** Locks a workflow and checks its revision against `If-Match`. */
async function findForChange(tx: Tx, accountId: string, id: string, ifMatch: readonly number[] | undefined): Promise<Workflow> {
  await lockWorkflow(tx, accountId, id)
  const workflow = await find(tx, accountId, id)
  if (ifMatch?.includes(workflow.revision) === false)
    throw new Fault('revision_mismatch', {
      detail: `The workflow is at revision ${workflow.revision}. Read it again and repeat the change.`,
    })
  return workflow
}

/** `run: workflow` finds a workflow by its published name; before the first publication, the name of the draft is reserved. */
function documentNameAfter(workflow: Workflow, read: ReadDefinition | undefined, version: NewVersion | undefined) {
  const published = version !== undefined || workflow.latest === undefined
  if (!published) return { namespace: workflow.namespace, documentName: workflow.documentName }
  const { document } = read?.definition ?? definitionOf(workflow.draft)
  return { namespace: document.namespace, documentName: document.name }
}

function nameOf(title: string | undefined): string | undefined {
  const name = title?.trim().slice(0, 200)
  return name === '' ? undefined : name
}

function latestOf(version: NewVersion): LatestVersion {
  return { id: version.id, number: version.number, checksum: version.definition.checksum }
}

async function refusingTakenNames({ namespace, documentName }: WorkflowContent, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (cause) {
    if (!(cause instanceof Error && 'constraint' in cause && cause.constraint === documentNameIndex)) throw cause
    throw new Fault('workflow_name_taken', {
      detail: `Another workflow of the account has the document name ${namespace}/${documentName}. Change document.name or document.namespace, or delete the other one.`,
      cause,
    })
  }
}

/** The path of a workflow. */
export function workflowPath(id: string): string {
  return `/api/v1/workflows/${toTypeId('wf', id)}`
}
