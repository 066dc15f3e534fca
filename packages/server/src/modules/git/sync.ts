import type { Workflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { GitCheckout, GitRemote } from '#platform/git/git-checkout.ts'
import type { GitChange, GitLink, GitRepository, Resolve } from './model.ts'

export interface GitDeps {
  readonly database: Database
  readonly workflows: Pick<Workflows, 'prepareCreate' | 'create' | 'prepareUpdate' | 'update' | 'prepareDraft' | 'saveDraft' | 'get'>
  readonly now: () => number
  readonly newId: () => string
  readonly open: (remote: GitRemote, signal: AbortSignal) => Promise<GitCheckout>
  /** The credentials of a connection as a header. */
  readonly headers: (accountId: string, repository: Pick<GitRepository, 'url' | 'connection'>) => Promise<readonly string[]>
  readonly closing: AbortSignal
}

/** Who pulls or pushes, and which side wins where both have changed. */
export interface SyncOptions {
  readonly actor: string
  readonly resolve: Resolve
  /** A push follows, whose failures count on although the pull works. */
  readonly pushFollows?: boolean
}

export interface PushOptions extends SyncOptions {
  readonly workflowIds: readonly string[]
  readonly message: string | undefined
}

/** One pull or push in progress. */
export interface Sync {
  readonly accountId: string
  readonly repository: GitRepository
  readonly checkout: GitCheckout
  readonly links: readonly GitLink[]
  readonly options: SyncOptions
}

export interface SyncReport {
  readonly commit: string | undefined
  readonly changes: readonly GitChange[]
}
