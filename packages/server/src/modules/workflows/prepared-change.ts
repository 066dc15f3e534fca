import type { Json } from '@millrace/engine'
import type { ReadDefinition } from './definition.ts'
import type { TriedDefinition } from './definition-reader.ts'
import type { PinnedResources, Syntax, Workflow } from './model.ts'

/** Members that are `undefined` stay unchanged; a description of `null` is removed. */
export interface WorkflowChange {
  readonly definition: string | object | undefined
  readonly name: string | undefined
  readonly description: string | null | undefined
  readonly tags: readonly string[] | undefined
  readonly enabled: boolean | undefined
  readonly minutesPerRun?: number | null | undefined
  /** Publishes the draft if it differs from the latest version; unless given, true with a definition. */
  readonly publish: boolean | undefined
  /** What changed, for the version that this publishes. */
  readonly note?: string | undefined
  /** What the version that this publishes has to accept. */
  readonly input?: Json | undefined
}

/** A definition that was read; with its pinned resources if it will be published. */
export interface PreparedDefinition {
  readonly read: ReadDefinition
  readonly resources: PinnedResources | undefined
}

/** A draft as an editor sent it; `read` is absent when it is not valid. */
export interface PreparedDraft extends TriedDefinition {
  readonly source: string
  readonly syntax: Syntax
}

/** The preparation of a change: the new definition, or the draft that it publishes. */
export interface PreparedChange {
  readonly given: PreparedDefinition | undefined
  readonly draft: PreparedDefinition | undefined
  /** The text of the draft beside the valid one that `given` was read from: it was saved when it was not valid. */
  readonly invalidDraft?: string
  /** The draft under a document name that follows the new name of the workflow. */
  readonly following?: FollowingDraft | undefined
}

/** A draft under the document name that follows a new name of its workflow. */
export interface FollowingDraft {
  readonly draft: PreparedDefinition
  /** The text beside it that is not valid, under the same name. */
  readonly invalidSource: string | undefined
  /** What it was made from. */
  readonly of: Workflow
}
