/** A linked repository. */
export interface GitRepository {
  readonly id: string
  readonly accountId: string
  readonly url: string
  readonly branch: string
  readonly folder: string
  readonly connection: string | undefined
  readonly pull: 'draft' | 'publish'
  readonly automatic: boolean
  /** Whether commits name people as their authors. */
  readonly authors: boolean
  readonly commit: string | undefined
  readonly syncedAt: Date | undefined
  readonly problem: string | undefined
  readonly conflicts: readonly string[]
  readonly files: number
  readonly createdAt: Date
}

export interface NewGitRepository
  extends Pick<GitRepository, 'url' | 'branch' | 'folder' | 'connection' | 'pull' | 'automatic' | 'authors'> {
  readonly id: string
}

export type GitSettings = Omit<NewGitRepository, 'id'>

/** What to change; without a member it stays, and null removes the connection. */
export type ChangedGitSettings = { readonly [K in Exclude<keyof GitSettings, 'connection'>]?: GitSettings[K] | undefined } & {
  readonly connection?: string | null | undefined
}

/** Which file is which workflow, and the digest of the text that both had last. */
export interface GitLink {
  readonly path: string
  readonly workflowId: string
  readonly baseSha256: string
}

export type Side = 'repository' | 'workflow'
export type Resolve = Readonly<Record<string, Side>>

export interface GitChange {
  readonly path: string
  readonly workflowId: string | undefined
  readonly outcome: 'created' | 'updated' | 'published' | 'pushed' | 'unchanged' | 'conflict' | 'invalid' | 'removed' | 'skipped'
  readonly detail?: string | undefined
}

/** Repositories of one account. */
export const repositoriesMax = 20
/** Between two automatic pulls. */
export const everyMs = 5 * 60 * 1000
/** Between two automatic pulls of a repository that fails. */
export const retryMsMax = 60 * 60 * 1000
