import { Fault } from '@millrace/contract'
import type { Tx } from '#platform/http/index.ts'
import type { SecretScope } from '#platform/secrets/secret-store.ts'
import { assertRevision } from '#platform/validation/assert-revision.ts'
import { assertRunnable, definitionOf, type ReadDefinition, refuseResources } from './definition.ts'
import { assertFreeName, namingFor, refusingTakenNames } from './document-names.ts'
import { dropInvalidDraft, keepInvalidDraft } from './drafts/draft-store.ts'
import { listVersions } from './drafts/list-versions.ts'
import { withAccountWarnings } from './account-warnings.ts'
import { followingDraft, stillFollowing } from './following-name.ts'
import { newFromTemplate } from './importing/from-template.ts'
import { insertOrigin, type Origin } from './importing/origin-store.ts'
import { type ListOptions, listTags, listWorkflows } from './list-workflows.ts'
import {
  isSameContent,
  type StoredDefinition,
  type LatestVersion,
  type Manager,
  type NewVersion,
  type NewWorkflow,
  type Syntax,
  type Workflow,
  type WorkflowContent,
} from './model.ts'
import type { PreparedChange, PreparedDefinition, PreparedDraft, WorkflowChange } from './prepared-change.ts'
import { type Author, createPublishing } from './publishing/publishing.ts'
import { type Requirements, requirementsOf } from './requirements.ts'
import {
  type Authorship,
  deleteWorkflow,
  findDocumentNames,
  findVersion,
  findWorkflow,
  insertWorkflow,
  isKnown,
  lockWorkflow,
  updateWorkflow,
} from './store.ts'
import {
  type Dependents,
  findUses,
  type UsedThings,
  type UsingWorkflow,
  type WorkflowUse,
  workflowsOfIds,
  workflowsRunning,
} from './workflows-using.ts'
import type { WorkflowsDeps } from './workflows-deps.ts'

/** The author of a change, and the revisions at which it may be made. */
interface ChangeOptions extends Author {
  readonly ifMatch: readonly number[] | undefined
  /** What owns the workflow; it alone changes it. */
  readonly managedBy?: Manager
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
  const publishing = createPublishing(deps)
  const authorship = ({ actor }: Author): Authorship => ({ at: new Date(deps.now()), by: actor })

  /**
   * Reads a definition and, if it will be published, fetches its external resources. May take long; writes nothing.
   * @param workflowId of an existing workflow, which may have secrets of its own.
   */
  async function prepare(
    accountId: string,
    given: string | object,
    { publishes, ...scope }: SecretScope & { readonly publishes: boolean; readonly workflowId: string | undefined },
  ): Promise<PreparedDefinition> {
    const secretsOf = () => deps.secretNames(accountId, scope)
    const read = await withAccountWarnings(deps, accountId, await deps.reader.read(accountId, given, secretsOf), scope)
    await deps.reader.write(accountId, read.stored, 'yaml')
    if (!publishes) return { read, resources: undefined }
    assertRunnable(read)
    const { resources, failures } = await deps.pinResources(accountId, read.definition, {
      secretNames: read.definition.use?.secrets ?? [],
      scope,
    })
    const unusable = failures.map((failure) => ({ code: 'unusable_resource' as const, ...failure }))
    if (unusable.length > 0) refuseResources(await deps.reader.errorsAt(accountId, read, unusable))
    return { read, resources }
  }

  /** Returns the prepared draft. It was prepared before the transaction, so it must not have changed since. */
  function unchangedDraft(draft: StoredDefinition, prepared: PreparedDefinition | undefined): PreparedDefinition {
    if (prepared?.read.stored.checksum === draft.checksum) return prepared
    throw draftChanged()
  }

  /** The next version, from a definition that will be published. */
  function versionAfter(
    workflowId: string,
    latest: LatestVersion | undefined,
    { read, resources = {} }: PreparedDefinition,
    note?: string,
  ): NewVersion {
    const { document, input } = read.definition
    return {
      id: deps.newId(),
      workflowId,
      number: (latest?.number ?? 0) + 1,
      documentVersion: document.version,
      checksInput: input?.schema !== undefined,
      definition: read.stored,
      resources,
      note,
    }
  }

  /** Makes the triggers of a workflow those of its latest version; without any while it is disabled. */
  async function reschedule(
    tx: Tx,
    accountId: string,
    workflow: WorkflowContent & { readonly id: string },
    { actor }: Author,
  ): Promise<void> {
    const { id: workflowId, name, enabled, latest } = workflow
    const version = enabled && latest !== undefined ? await findVersion(tx, accountId, workflowId, latest.number) : undefined
    const definition = version === undefined ? undefined : definitionOf(version.definition)
    await deps.schedules?.replace(tx, accountId, { workflowId, name, definition }, actor)
  }

  return {
    list: (tx: Tx, accountId: string, options: ListOptions) => listWorkflows(tx, accountId, options),

    tags: listTags,

    documentNames: findDocumentNames,

    findForChange,

    mayPublish: publishing.mayPublish,

    naming: namingFor(deps),

    fromTemplate: newFromTemplate(deps),

    /** Records where a new workflow comes from, in the transaction of its creation. */
    recordOrigin: (tx: Tx, accountId: string, origin: Omit<Origin, 'importedAt'>, { actor }: Author): Promise<void> =>
      insertOrigin(tx, accountId, { ...origin, importedAt: new Date(deps.now()) }, actor),

    /** Prepares `create`; call it before the transaction of `create`. */
    prepareCreate: (accountId: string, { definition, publish }: Pick<NewWorkflow, 'definition' | 'publish'>) =>
      prepare(accountId, definition, { publishes: publish, workflowId: undefined }),

    async create(tx: Tx, accountId: string, given: NewWorkflow, prepared: PreparedDefinition, author: Author): Promise<Workflow> {
      const { read } = prepared
      const id = deps.newId()
      const version = given.publish ? versionAfter(id, undefined, prepared, given.note) : undefined
      const { document } = read.definition
      const content: WorkflowContent = {
        name: given.name ?? nameOf(document.title) ?? document.name,
        description: given.description ?? document.summary,
        tags: given.tags ?? [],
        namespace: document.namespace,
        documentName: document.name,
        enabled: true,
        minutesPerRun: undefined,
        triggers: read.triggers,
        draft: read.stored,
        latest: version && latestOf(version),
      }
      await assertFreeName(tx, accountId, content)
      await refusingTakenNames(content, () =>
        insertWorkflow(tx, accountId, { id, ...content, managedBy: given.managedBy }, authorship(author)),
      )
      if (version !== undefined) await publishing.publish(tx, accountId, version, { by: author, managedBy: given.managedBy })
      if (version !== undefined && read.definition.schedule !== undefined)
        await deps.schedules?.replace(tx, accountId, { workflowId: id, name: content.name, definition: read.definition }, author.actor)
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

    /** The text of a draft under another document name. */
    renamed: (accountId: string, { draft }: Workflow, documentName: string): Promise<string> =>
      deps.reader.renamed(accountId, draft, documentName),

    /** The text of a draft. The reader has it cached after the change was prepared. */
    textOf: (accountId: string, { draft }: Workflow): Promise<string> => deps.reader.write(accountId, draft, 'yaml'),

    /** Prepares `update`, or the version of a test; call it before the transaction of `update`. */
    async prepareUpdate(
      accountId: string,
      id: string,
      { definition, name, publish, input }: WorkflowChange,
      environment: SecretScope['environment'] = 'production',
    ): Promise<PreparedChange> {
      const prepareFor = async (given: string | object, publishes: boolean) => {
        const prepared = await prepare(accountId, given, { publishes, workflowId: id, environment })
        const { read, resources } = prepared
        if (input !== undefined && resources !== undefined)
          await deps.assertInput(accountId, { definition: read.definition, resources }, input)
        return prepared
      }
      if (definition !== undefined) return { given: await prepareFor(definition, publish ?? true), draft: undefined }
      const workflow = await deps.transaction(accountId, (tx) => findWorkflow(tx, accountId, id))
      if (workflow === undefined) return { given: undefined, draft: undefined }
      await deps.reader.write(accountId, workflow.draft, 'yaml')
      // Publishing what an editor saved last refuses it with its diagnostics when it is invalid.
      if (publish === true && workflow.invalidDraft !== undefined) {
        const { source } = workflow.invalidDraft
        return { given: await prepareFor(source, true), draft: undefined, invalidDraft: source }
      }
      const { draft, latest } = workflow
      if (publish === true && draft.checksum !== latest?.checksum) return { given: undefined, draft: await prepareFor(draft.source, true) }
      // Without anything to publish, what follows runs the published version.
      if (publish === true && latest !== undefined && input !== undefined) await deps.assertVersionInput(accountId, latest.id, input)
      const following = await followingDraft(accountId, workflow, name, namingFor(deps)(accountId, 1), {
        reader: deps.reader,
        prepare: (source) => prepareFor(source, false),
      })
      return { given: undefined, draft: undefined, following }
    },

    async update(
      tx: Tx,
      accountId: string,
      id: string,
      change: WorkflowChange,
      { given, draft: prepared, invalidDraft, following: renamed }: PreparedChange,
      options: ChangeOptions,
    ): Promise<Workflow & { readonly before: Workflow }> {
      const workflow = await findForChange(tx, accountId, id, options)
      const isOfDraft = change.publish === true && change.definition === undefined
      if (isOfDraft && workflow.invalidDraft?.source !== invalidDraft) throw draftChanged()
      const following = await stillFollowing(tx, accountId, workflow, renamed)
      const read = (given ?? following?.draft)?.read
      const draft = read?.stored ?? workflow.draft
      // What the account lacks may have changed since the draft was saved: the reply says what is missing now.
      const unchanged = { ...workflow, draft, before: workflow }
      const publish = (change.publish ?? given !== undefined) && draft.checksum !== workflow.latest?.checksum
      const version = publish ? versionAfter(id, workflow.latest, given ?? unchangedDraft(draft, prepared), change.note) : undefined
      const content: WorkflowContent = {
        name: change.name ?? workflow.name,
        description: change.description === undefined ? workflow.description : (change.description ?? undefined),
        tags: change.tags ?? workflow.tags,
        enabled: change.enabled ?? workflow.enabled,
        minutesPerRun: change.minutesPerRun === undefined ? workflow.minutesPerRun : (change.minutesPerRun ?? undefined),
        triggers: read?.triggers ?? workflow.triggers,
        draft: version?.definition ?? draft,
        latest: version === undefined ? workflow.latest : latestOf(version),
        ...documentNameAfter(workflow, read, version),
      }
      if (given !== undefined) await dropInvalidDraft(tx, accountId, id)
      else if (isSameContent(workflow, content)) return unchanged
      if (isSameContent(workflow, content) && workflow.invalidDraft === undefined) return unchanged
      if (content.enabled && !workflow.enabled && content.latest !== undefined) await publishing.assertMayEnable(tx, accountId, options)
      await refusingTakenNames(content, () => updateWorkflow(tx, accountId, { id, ...content }, authorship(options)))
      if (following?.invalidSource !== undefined && workflow.invalidDraft !== undefined)
        await keepInvalidDraft(tx, accountId, id, { ...workflow.invalidDraft, source: following.invalidSource }, authorship(options))
      if (version !== undefined) await publishing.publish(tx, accountId, version, { by: options, managedBy: workflow.managedBy })
      if (version !== undefined || content.enabled !== workflow.enabled) await reschedule(tx, accountId, { id, ...content }, options)
      return { ...(await find(tx, accountId, id)), before: workflow }
    },

    /** Reads the text of a draft, which may be invalid; call it before the transaction of `saveDraft`. */
    async prepareDraft(
      accountId: string,
      id: string,
      { text, syntax }: { readonly text: string; readonly syntax: Syntax },
    ): Promise<PreparedDraft> {
      const tried = await deps.reader.tryRead(accountId, text, () => deps.secretNames(accountId, { workflowId: id }))
      const read = tried.read && (await withAccountWarnings(deps, accountId, tried.read, { workflowId: id }))
      return { read, diagnostics: read?.stored.warnings ?? tried.diagnostics, source: text, syntax }
    },

    /** Saves a draft of any text. A valid one replaces the draft, an invalid one is kept beside it. */
    async saveDraft(
      tx: Tx,
      accountId: string,
      id: string,
      { read, source, syntax }: PreparedDraft,
      options: ChangeOptions,
    ): Promise<Workflow> {
      const workflow = await findForChange(tx, accountId, id, options)
      const { invalidDraft } = workflow
      if (read === undefined) {
        if (invalidDraft?.source === source && invalidDraft.syntax === syntax) return workflow
        await keepInvalidDraft(tx, accountId, id, { source, syntax }, authorship(options))
        return find(tx, accountId, id)
      }
      const content: WorkflowContent = {
        ...workflow,
        triggers: read.triggers,
        draft: read.stored,
        ...documentNameAfter(workflow, read, undefined),
      }
      if (invalidDraft === undefined && isSameContent(workflow, content)) return workflow
      await dropInvalidDraft(tx, accountId, id)
      await refusingTakenNames(content, () => updateWorkflow(tx, accountId, { ...content, id }, authorship(options)))
      return find(tx, accountId, id)
    },

    async versions(tx: Tx, accountId: string, id: string, options: { readonly limit: number; readonly cursor: string | undefined }) {
      await find(tx, accountId, id)
      return listVersions(tx, accountId, id, options)
    },

    /** Stores a prepared definition as a version for executions of the origin `test` alone; returns its number. */
    async insertTestVersion(tx: Tx, accountId: string, id: string, prepared: PreparedDefinition, author: Author): Promise<number> {
      await lockWorkflow(tx, accountId, id)
      await find(tx, accountId, id)
      return publishing.insertTest(tx, accountId, versionAfter(id, undefined, prepared), author)
    },

    /** The workflows that use a variable, a secret, a connection or a table, or name an approver. */
    uses: (tx: Tx, accountId: string, used: UsedThings): Promise<readonly WorkflowUse[]> =>
      findUses(tx, accountId, used, deps.approversNamed),

    /** What depends on a workflow, in a transaction of its own. */
    dependents: (accountId: string, id: string): Promise<Dependents> =>
      deps.transaction(accountId, async (tx) => {
        const followers = await deps.startedByEnds(tx, accountId, id)
        return {
          callers: await workflowsRunning(tx, accountId, await find(tx, accountId, id)),
          followers: await workflowsOfIds(
            tx,
            accountId,
            followers.filter((follower) => follower !== id),
          ),
          awaitingTurns: await deps.awaitedTurns(tx, accountId, id),
        }
      }),

    /** Deletes a workflow. @returns the workflows that run it, which fail from then on. */
    async remove(tx: Tx, accountId: string, id: string, options: ChangeOptions): Promise<readonly UsingWorkflow[]> {
      const workflow = await findForChange(tx, accountId, id, options)
      const callers = await workflowsRunning(tx, accountId, workflow)
      await deleteWorkflow(tx, accountId, id, authorship(options))
      await deps.schedules?.remove(tx, accountId, id)
      await deps.forgetWorkflow(tx, accountId, id)
      return callers
    },

    /** Fault `not_found` for a workflow that never belonged to the account; a deleted workflow passes. */
    async assertKnown(tx: Tx, accountId: string, id: string): Promise<void> {
      if (!(await isKnown(tx, accountId, id))) throw new Fault('not_found', { detail: 'There is no such workflow.' })
    },

    /** Whether the account has a workflow that is not deleted. */
    exists: async (tx: Tx, accountId: string, id: string): Promise<boolean> => (await findWorkflow(tx, accountId, id)) !== undefined,

    /** The number of the version that a start without one runs; undefined before the first publication. Fault `not_found`. */
    latestNumber: async (tx: Tx, accountId: string, id: string): Promise<number | undefined> =>
      (await find(tx, accountId, id)).latest?.number,

    /** `version` is the number of the version that they are of; undefined for a draft. */
    async requirements(tx: Tx, accountId: string, id: string): Promise<Requirements & { readonly version: number | undefined }> {
      const { draft, latest } = await find(tx, accountId, id)
      const version = latest === undefined ? undefined : await findVersion(tx, accountId, id, latest.number)
      const definition = definitionOf(version?.definition ?? draft)
      return {
        ...(await requirementsOf(deps, tx, accountId, { workflowId: id, definition, environment: 'production' })),
        version: version?.number,
      }
    },

    /** What a test of the draft requires. */
    async draftRequirements(tx: Tx, accountId: string, id: string): Promise<Requirements> {
      const { draft } = await find(tx, accountId, id)
      return requirementsOf(deps, tx, accountId, { workflowId: id, definition: definitionOf(draft), environment: 'draft' })
    },
  }
}

function draftChanged(): Fault {
  return new Fault('revision_mismatch', { detail: 'The draft was changed while it was being published. Repeat the request.' })
}

async function find(tx: Tx, accountId: string, id: string): Promise<Workflow> {
  const workflow = await findWorkflow(tx, accountId, id)
  if (workflow === undefined) throw new Fault('not_found', { detail: 'There is no such workflow.' })
  return workflow
}

/** Locks a workflow and checks its revision against `If-Match`. */
async function findForChange(tx: Tx, accountId: string, id: string, { ifMatch, managedBy }: ChangeOptions): Promise<Workflow> {
  await lockWorkflow(tx, accountId, id)
  const workflow = await find(tx, accountId, id)
  if (workflow.managedBy !== managedBy) throw new Fault('not_found', { detail: 'There is no such workflow.' })
  assertRevision('workflow', workflow.revision, ifMatch)
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
