import { rm } from 'node:fs/promises'
import type { GuardedAddress } from '#platform/net/guarded-address.ts'
import { makeWorkFolder } from '#platform/files/work-folder.ts'
import { GitError, type GitRun, runGit } from './run-git.ts'

/** A branch of a repository, and how it is reached. */
export interface GitRemote {
  readonly url: string
  readonly branch: string
  /** Sent with every request below the URL, such as `Authorization: Bearer …`. */
  readonly headers: readonly string[]
  /** Size of one commit at most; 64 unless given. */
  readonly mibMax?: number
}

/** A file of a folder. Symbolic links, submodules and large files have no text. */
export interface GitFile {
  readonly path: string
  readonly text: string | undefined
}

/** The newest commit of a branch. Nothing of it is ever written as a file: trees and blobs are read from the object store. */
export interface GitCheckout extends AsyncDisposable {
  /** Undefined if the branch does not exist yet. */
  readonly commit: string | undefined
  files(folder: string): Promise<readonly GitFile[]>
  /** Commits texts on top, and pushes that commit. @returns its id. Throws GitError if the branch has moved meanwhile. */
  push(files: ReadonlyMap<string, string>, commit: NewCommit): Promise<string>
}

/** A person whom a commit names. */
export interface GitPerson {
  readonly name: string | undefined
  readonly email: string
}

export interface NewCommit {
  readonly message: string
  /** The first one is the author, the others are co-authors; without any, it is the server. The server is always the committer. */
  readonly people: readonly GitPerson[]
  readonly at: Date
}

const filesMax = 500
const fileBytesMax = 1024 * 1024
const bytesMax = 16 * 1024 * 1024

/** Fetches the newest commit of a branch over HTTP, from an address that workflows may reach. Throws GitError or NetError. */
export async function openCheckout(given: GitRemote, address: GuardedAddress, signal: AbortSignal): Promise<GitCheckout> {
  // Git reads addresses in its own way: the host of `http://one\@two` is one for the guard, and two for Git. Both read the normal form alike.
  const url = new URL(given.url)
  const remote = { ...given, url: url.href }
  const settings = await settingsOf(url, given.headers, address)
  const folder = await makeWorkFolder()
  const git = (args: readonly string[], more: Partial<GitRun> = {}) =>
    runGit(args, { folder, settings, signal, ...(remote.mibMax === undefined ? {} : { fileMibMax: remote.mibMax }), ...more })
  const dispose = () => rm(folder, { recursive: true, force: true })
  try {
    await git(['init', '--quiet', '--bare', '--template='])
    const commit = await fetchCommit(git, remote)
    return {
      commit,
      files: (path) => (commit === undefined ? Promise.resolve([]) : readFiles(git, commit, path)),
      push: (files, made) => pushFiles(git, remote, { ...made, commit, files }),
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

type Git = (args: readonly string[], more?: Partial<GitRun>) => Promise<Buffer>

/** The name is resolved here and nowhere else, so that it cannot lead to another address a moment later. */
async function settingsOf(
  { hostname, port, protocol, origin }: URL,
  headers: readonly string[],
  address: GuardedAddress,
): Promise<Readonly<Record<string, string>>> {
  // A sign before a name, or a dot behind it, has a meaning of its own in the setting below: the name would be resolved again.
  if (!/^(?:\[[0-9a-f:.]+\]|(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.(?!$)|$))+)$/.test(hostname))
    throw new GitError(`Git cannot use the host name ${hostname}.`)
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  const resolved = await address(bare)
  const number = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  const pinned = resolved.includes(':') ? `[${resolved}]` : resolved
  const [header] = headers
  return {
    // Known to Git since 2.37; an older one is refused below by its version.
    'http.curloptResolve': `${hostname}:${number}:${pinned}`,
    'http.proxy': '',
    ...(header === undefined ? {} : { [`http.${origin}.extraHeader`]: header }),
  }
}

async function fetchCommit(git: Git, { url, branch }: GitRemote): Promise<string | undefined> {
  await assertVersion(git)
  const found = (await git(['ls-remote', '--heads', '--', url, `refs/heads/${branch}`])).toString('utf8')
  if (!found.includes(`refs/heads/${branch}`)) return undefined
  await git([
    'fetch',
    '--quiet',
    '--depth=1',
    '--no-tags',
    '--no-recurse-submodules',
    '--no-write-fetch-head',
    '--',
    url,
    `+refs/heads/${branch}:refs/heads/fetched`,
  ])
  return (await git(['rev-parse', '--verify', 'refs/heads/fetched^{commit}'])).toString('utf8').trim()
}

async function assertVersion(git: Git): Promise<void> {
  const [major = 0, minor = 0] =
    /(\d+)\.(\d+)/
      .exec((await git(['version'])).toString('utf8'))
      ?.slice(1)
      .map(Number) ?? []
  if (major < 2 || (major === 2 && minor < 37)) throw new GitError('The server needs Git 2.37 or newer.')
}

async function readFiles(git: Git, commit: string, folder: string): Promise<readonly GitFile[]> {
  const where = folder === '' ? [] : ['--', `${folder}/`]
  const listed = (await git(['ls-tree', '-r', '-l', '-z', '--full-tree', commit, ...where])).toString('utf8')
  const entries = listed.split('\0').flatMap((line) => {
    const [, mode = '', type = '', id = '', size = '', path = ''] = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? []
    return isDefinition(path, folder) ? [{ isRegular: type === 'blob' && mode.startsWith('100'), id, size: Number(size), path }] : []
  })
  if (entries.length > filesMax) throw new GitError(`The folder has more than ${filesMax} definitions.`)
  const total = entries.reduce((sum, { size }) => sum + (Number.isFinite(size) ? size : 0), 0)
  const files: GitFile[] = []
  for (const { isRegular, id, size, path } of entries) {
    const isReadable = isRegular && size <= fileBytesMax && total <= bytesMax
    files.push({ path, text: isReadable ? (await git(['cat-file', 'blob', id])).toString('utf8') : undefined })
  }
  return files
}

/** Files of YAML and JSON directly in the folder or below it. */
function isDefinition(path: string, folder: string): boolean {
  return (
    path.startsWith(folder === '' ? '' : `${folder}/`) &&
    /\.(?:ya?ml|json)$/.test(path) &&
    !path.split('/').some((part) => part.startsWith('.'))
  )
}

interface Pushed extends NewCommit {
  readonly commit: string | undefined
  readonly files: ReadonlyMap<string, string>
}

const committer = { name: 'Millrace', email: 'millrace@localhost' }

/** A person without the characters that end a name or an address in a commit. Git refuses an empty name. */
function identOf({ name, email }: GitPerson): Required<GitPerson> & { readonly name: string } {
  const clean = (text: string) => text.replaceAll(/[\p{Cc}\s<>]+/gu, ' ').replaceAll(/^[\s.,:;"'\\]+|[\s.,:;"'\\]+$/g, '')
  const address = clean(email)
  const [local = address] = address.split('@')
  return { name: clean(name ?? '') || local || committer.name, email: address }
}

async function pushFiles(git: Git, { url, branch }: GitRemote, { commit, files, message, people, at }: Pushed): Promise<string> {
  if (commit !== undefined) await git(['read-tree', commit])
  for (const [path, text] of files) {
    const id = (await git(['hash-object', '-w', '--stdin'], { input: text })).toString('utf8').trim()
    await git(['update-index', '-z', '--index-info'], { input: `100644 ${id}\t${path}\0` })
  }
  const tree = (await git(['write-tree'])).toString('utf8').trim()
  const date = `@${Math.floor(at.getTime() / 1000)} +0000`
  const [author = committer, ...others] = people.map(identOf)
  const trailers = others.map(({ name, email }) => `Co-authored-by: ${name} <${email}>\n`).join('')
  const variables = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
    GIT_COMMITTER_DATE: date,
  }
  const parents = commit === undefined ? [] : ['-p', commit]
  const made = (
    await git(['commit-tree', tree, ...parents], { input: `${message.trimEnd()}\n${trailers === '' ? '' : `\n${trailers}`}`, variables })
  )
    .toString('utf8')
    .trim()
  // Without force: a branch that has moved refuses it.
  await git(['push', '--quiet', '--no-verify', '--no-recurse-submodules', '--', url, `${made}:refs/heads/${branch}`])
  return made
}
