import type { Workflows } from '#modules/workflows/index.ts'
import type { Tx, Database } from '#platform/db/database.ts'
import type { GitCheckout, GitPerson, GitRemote } from '#platform/git/git-checkout.ts'
import type { GitChange, GitLink, GitRepository, Resolve } from './model.ts'

export interface GitDeps {
  readonly database: Database
  readonly workflows: Pick<Workflows, 'prepareCreate' | 'create' | 'prepareUpdate' | 'update' | 'prepareDraft' | 'saveDraft' | 'get'>
  readonly now: () => number
  readonly newId: () => string
  readonly open: (remote: GitRemote, signal: AbortSignal) => Promise<GitCheckout>
  /** Who changed workflows last, as `kind:id`, by workflow. */
  readonly changersOf: (
    tx: Tx,
    accountId: string,
    workflowIds: readonly string[],
    what: 'draft' | 'version',
  ) => Promise<ReadonlyMap<string, string>>
  /** Users by id; without those that are gone. */
  readonly peopleOf: (tx: Tx, accountId: string, userIds: readonly string[]) => Promise<ReadonlyMap<string, GitPerson>>
  /** The credentials of a connection as a header. */
  readonly headers: (accountId: string, repository: Pick<GitRepository, 'url' | 'connection'>) => Promise<readonly string[]>
  readonly closing: AbortSignal
  /** For how long a repository stays reserved after the process that pulls or pushes it has died. */
  readonly leaseMs?: number
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
  /** Checked before each file: the transaction of one records its link too, so that the next pull or push continues where this one ended. */
  readonly signal: AbortSignal
}

export interface SyncReport {
  readonly commit: string | undefined
  readonly changes: readonly GitChange[]
}
