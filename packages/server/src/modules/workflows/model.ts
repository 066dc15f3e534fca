import type { Diagnostic } from '@millrace/dsl'
import type { ExecutionState, Json } from '@millrace/engine'
import type { TriggerKind } from '@millrace/engine/storage'

export type { TriggerKind }

export type Syntax = 'yaml' | 'json'
export type WorkflowState = 'draft' | 'published' | 'disabled'

/** A stored definition: of the draft or of a version. */
export interface StoredDefinition {
  /** Canonical JSON without white space. */
  readonly json: string
  /** The text of the author, unchanged. */
  readonly source: string
  readonly syntax: Syntax
  /** SHA-256 of the canonical form, in hexadecimal. */
  readonly checksum: string
  readonly warnings: readonly Diagnostic[]
}

export interface LatestVersion {
  readonly id: string
  readonly number: number
  readonly checksum: string
}

/** A workflow as a list shows it. */
export interface WorkflowHead {
  readonly id: string
  readonly name: string
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly enabled: boolean
  /** Minutes of work that one completed execution saves. */
  readonly minutesPerRun: number | undefined
  readonly revision: number
  readonly triggers: readonly TriggerKind[]
  readonly draftChecksum: string
  readonly latest: LatestVersion | undefined
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly lastExecution: LastExecution | undefined
}

export interface LastExecution {
  readonly id: string
  readonly state: ExecutionState
  readonly createdAt: Date
  readonly endedAt: Date | undefined
}

/** A workflow with its draft. */
export interface Workflow extends WorkflowHead {
  readonly namespace: string
  readonly documentName: string
  readonly draft: StoredDefinition
  readonly managedBy: Manager | undefined
  /** A draft that was saved after `draft` and is not valid. */
  readonly invalidDraft: InvalidDraft | undefined
  readonly publishRequest: PublishRequest | undefined
  /** Who changed it last, as `kind:id`. */
  readonly updatedBy: string
}

/** The wish that a draft is published by those who may. */
export interface PublishRequest {
  /** Of the draft as it was then. */
  readonly checksum: string
  readonly note: string | undefined
  readonly requestedAt: Date
  /** As `kind:id`. */
  readonly requestedBy: string
}

/** The text of a draft that cannot be read, as its author wrote it. */
export interface InvalidDraft {
  readonly source: string
  readonly syntax: Syntax
}

/** An external resource as it was when a version was published. */
export interface PinnedResource {
  readonly kind: string
  /** SHA-256 of the fetched text, in hexadecimal. */
  readonly sha256: string
  readonly content: Json
}

export type PinnedResources = Readonly<Record<string, PinnedResource>>

/** A published version; never changes. */
export interface Version {
  readonly id: string
  readonly workflowId: string
  readonly number: number
  readonly documentVersion: string
  readonly checksInput: boolean
  readonly definition: StoredDefinition
}

/** A version that is about to be published, with its pinned resources. */
export interface NewVersion extends Version {
  /** What changed, in the words of who published it. */
  readonly note: string | undefined
  readonly resources: PinnedResources
}

/** The content of a new workflow. */
export interface NewWorkflow {
  readonly definition: string | object
  readonly name: string | undefined
  readonly description: string | undefined
  readonly tags: readonly string[] | undefined
  readonly publish: boolean
  /** For the list of versions, if it is published. */
  readonly note?: string | undefined
  /** What owns the workflow, if no person does. */
  readonly managedBy?: Manager
}

/** What owns a workflow that no person made. */
export type Manager = 'agent' | 'chain' | 'mcp'

/** The members of a workflow that a change can modify. */
export interface WorkflowContent {
  readonly name: string
  readonly description: string | undefined
  readonly tags: readonly string[]
  readonly namespace: string
  readonly documentName: string
  readonly enabled: boolean
  readonly minutesPerRun: number | undefined
  readonly triggers: readonly TriggerKind[]
  readonly draft: StoredDefinition
  readonly latest: LatestVersion | undefined
}

export function stateOf(workflow: Pick<WorkflowHead, 'enabled' | 'latest'>): WorkflowState {
  if (!workflow.enabled) return 'disabled'
  return workflow.latest === undefined ? 'draft' : 'published'
}

/** Whether two contents look the same to a reader. An update with the same content changes nothing, the revision included. */
export function isSameContent(first: WorkflowContent, second: WorkflowContent): boolean {
  return (
    first.name === second.name &&
    first.description === second.description &&
    first.enabled === second.enabled &&
    first.minutesPerRun === second.minutesPerRun &&
    first.latest?.id === second.latest?.id &&
    first.draft.source === second.draft.source &&
    first.draft.syntax === second.draft.syntax &&
    first.tags.length === second.tags.length &&
    first.tags.every((tag, index) => tag === second.tags[index])
  )
}

/** Document names of an account in a namespace that begin with a text. */
export interface DocumentNames {
  readonly namespace: string
  readonly prefix: string
}
