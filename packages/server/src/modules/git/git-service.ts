import { Fault } from '@millrace/contract'
import { WorkflowError } from '@millrace/engine'
import type { Changed } from '#platform/changed.ts'
import type { Tx } from '#platform/db/database.ts'
import { GitError } from '#platform/git/run-git.ts'
import { NetError } from '#platform/net/net-error.ts'
import {
  countBusy,
  countRepositories,
  deleteLink,
  deleteRepository,
  findRepository,
  forgetFiles,
  freeRepository,
  insertRepository,
  isBusy,
  listLinks,
  listRepositories,
  recordSync,
  renew,
  reserve,
  type Reservation,
  type SyncResult,
  takeDue,
  updateRepository,
} from './git-store.ts'
import { type ChangedGitSettings, everyMs, type GitChange, type GitRepository, type GitSettings, repositoriesMax } from './model.ts'
import { keepReserved, leaseMsDefault } from './keep-reserved.ts'
import { linkedFiles, pullFile } from './pull-file.ts'
import { pushWorkflows } from './push-workflows.ts'
import type { GitDeps, PushOptions, Sync, SyncOptions, SyncReport } from './sync.ts'

export type Git = ReturnType<typeof createGit>

/** All steps of a pull or push together. */
const syncMs = 5 * 60 * 1000
/** Pulls and pushes of one account at a time, over all processes: so much of the disk, the processor and the network it has at most. */
const atOnceMax = 2

const inProgress = 'A pull or push of this repository is in progress. Try again when it has ended.'
const linkedAlready = 'This folder of this branch is linked already.'

const settingNames = [
  'url',
  'branch',
  'folder',
  'connection',
  'pull',
  'automatic',
  'authors',
] as const satisfies readonly (keyof GitSettings)[]

/** Keeps definitions in repositories of Git. */
export function createGit(deps: GitDeps) {
  const { database, now } = deps

  async function pull(accountId: string, id: string, options: SyncOptions): Promise<SyncReport> {
    return synchronise(deps, accountId, id, options, async (sync) => {
      const { checkout, repository, links, signal } = sync
      if (checkout.commit === undefined) throw new GitError(`The repository has no branch ${repository.branch}.`)
      const files = await checkout.files(repository.folder)
      const changes: GitChange[] = []
      const filesOf = linkedFiles(sync, files)
      for (const file of files) {
        signal.throwIfAborted()
        changes.push(await pullFile(deps, sync, file, filesOf))
      }
      const there = new Set(files.map(({ path }) => path))
      for (const { path, workflowId } of links.filter((link) => !there.has(link.path))) {
        signal.throwIfAborted()
        await database.account(accountId, (tx) => deleteLink(tx, accountId, id, path))
        changes.push({ path, workflowId, outcome: 'removed', detail: 'The file is gone. The workflow stays and is not linked any more.' })
      }
      return { commit: checkout.commit, changes }
    })
  }

  async function push(accountId: string, id: string, options: PushOptions): Promise<SyncReport> {
    return synchronise(deps, accountId, id, options, (sync) => pushWorkflows(deps, sync, options))
  }

  return {
    pull,
    push,
    list: listRepositories,

    async link(tx: Tx, accountId: string, given: GitSettings, actor: string): Promise<GitRepository> {
      requireNoCredentials(given.url)
      if ((await countRepositories(tx, accountId)) >= repositoriesMax)
        throw new Fault('conflict', { detail: `The account has ${repositoriesMax} linked repositories, which is the limit.` })
      const id = deps.newId()
      if (!(await insertRepository(tx, accountId, { id, ...given }, { at: new Date(now()), by: actor })))
        throw new Fault('conflict', { detail: linkedAlready })
      return find(tx, accountId, id)
    },

    async change(tx: Tx, accountId: string, id: string, given: ChangedGitSettings): Promise<Changed<GitRepository>> {
      const at = new Date(now())
      // A pull or push that begins meanwhile waits for this lock, and one that has begun is seen.
      await countBusy(tx, accountId)
      const before = await find(tx, accountId, id)
      const settings = settingsOf(before, given)
      requireNoCredentials(settings.url)
      const changed = settingNames.filter((name) => settings[name] !== before[name])
      // Without a change, what the last pull found and when the next one is due stays.
      if (changed.length === 0) return { before, after: before }
      if (await isBusy(tx, accountId, id)) throw new Fault('conflict', { detail: inProgress })
      if (!(await updateRepository(tx, accountId, id, settings, at))) throw new Fault('conflict', { detail: linkedAlready })
      if (changed.some((name) => name === 'url' || name === 'branch' || name === 'folder')) await forgetFiles(tx, accountId, id)
      return { before, after: await find(tx, accountId, id) }
    },

    /** @returns the URL of the repository. */
    async unlink(tx: Tx, accountId: string, id: string): Promise<string> {
      const url = await deleteRepository(tx, accountId, id)
      if (url === undefined) throw missing()
      return url
    },

    /** Pulls, and with `pull: publish` pushes, the automatic repository that is due longest. @returns whether there was one. */
    async synchroniseDue(): Promise<boolean> {
      const at = now()
      const due = await takeDue(database.system, { now: new Date(at), next: new Date(at + everyMs) })
      if (due === undefined) return false
      const { id, accountId } = due
      const repository = await database.account(accountId, (tx) => findRepository(tx, accountId, id))
      const pushFollows = repository?.pull === 'publish'
      const options = { actor: 'system:git', resolve: {} }
      try {
        await pull(accountId, id, { ...options, pushFollows })
        if (pushFollows) await push(accountId, id, { ...options, workflowIds: [], message: undefined })
      } catch (error) {
        // The repository shows why; a conflict is one that another pull has caused.
        if (!(error instanceof Fault)) throw error
      }
      return true
    },
  }
}

async function synchronise(
  deps: GitDeps,
  accountId: string,
  id: string,
  options: SyncOptions,
  work: (sync: Sync) => Promise<SyncReport>,
): Promise<SyncReport> {
  const { database, now, closing } = deps
  const reservation: Reservation = { by: deps.newId(), leaseMs: deps.leaseMs ?? leaseMsDefault }
  const { repository, links } = await database.account(accountId, (tx) => begin(tx, accountId, id, reservation))
  using kept = keepReserved(() => database.account(accountId, (tx) => renew(tx, accountId, id, reservation)), reservation.leaseMs)
  const record = (result: Partial<SyncResult>) =>
    database.account(accountId, (tx) =>
      recordSync(tx, accountId, id, reservation.by, {
        commit: undefined,
        problem: undefined,
        conflicts: undefined,
        endsFailures: options.pushFollows !== true,
        ...result,
        at: new Date(now()),
      }),
    )
  const late = AbortSignal.timeout(syncMs)
  const signal = AbortSignal.any([closing, late, kept.lost])
  try {
    const headers = await deps.headers(accountId, repository)
    const { url, branch } = repository
    await using checkout = await deps.open({ url, branch, headers }, signal)
    const report = await work({ accountId, repository, checkout, links, options, signal })
    const conflicts = report.changes.filter(({ outcome }) => outcome === 'conflict').map(({ path }) => path)
    await record({ commit: report.commit, conflicts })
    return report
  } catch (error) {
    if (closing.aborted) {
      await database.account(accountId, (tx) => freeRepository(tx, accountId, id, reservation.by, new Date(now())))
      throw error
    }
    const problem = late.aborted ? `The pull or push took longer than ${syncMs / 60_000} minutes.` : problemOf(error)
    await record({ problem: problem ?? 'The server failed. Its log says why.' })
    throw problem === undefined ? error : new Fault('git_failed', { detail: problem, cause: error })
  }
}

/** Reserves a repository. */
async function begin(tx: Tx, accountId: string, id: string, reservation: Reservation) {
  // Read with the lock: a change of the repository may have held it until now.
  const busy = await countBusy(tx, accountId)
  const repository = await find(tx, accountId, id)
  if (!(await reserve(tx, accountId, id, reservation))) throw new Fault('conflict', { detail: inProgress })
  if (busy >= atOnceMax)
    throw new Fault('conflict', {
      detail: `${atOnceMax} repositories of the account are being pulled or pushed, which is the limit. Try again when one has ended.`,
    })
  return { repository, links: await listLinks(tx, accountId, id) }
}

function settingsOf(before: GitSettings, given: ChangedGitSettings): GitSettings {
  return {
    url: given.url ?? before.url,
    branch: given.branch ?? before.branch,
    folder: given.folder ?? before.folder,
    connection: given.connection === undefined ? before.connection : (given.connection ?? undefined),
    pull: given.pull ?? before.pull,
    automatic: given.automatic ?? before.automatic,
    authors: given.authors ?? before.authors,
  }
}

function requireNoCredentials(url: string): void {
  const { username, password } = new URL(url)
  if (username === '' && password === '') return
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/url', detail: 'Must have no credentials. Name a connection that has them.' }],
  })
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof WorkflowError) return error.data.detail ?? error.data.title
  return error instanceof GitError || error instanceof NetError ? error.message : undefined
}

async function find(tx: Tx, accountId: string, id: string): Promise<GitRepository> {
  const found = await findRepository(tx, accountId, id)
  if (found === undefined) throw missing()
  return found
}

function missing(): Fault {
  return new Fault('not_found', { detail: 'There is no such repository.' })
}
