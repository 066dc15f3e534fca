import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { listenLocally } from './listen-locally.ts'

const run = promisify(execFile)

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main', '-c', 'safe.directory=*']
const environment = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' }

/** A repository that the real git serves over HTTP, as `git http-backend` behind any web server. */
export async function startGitServer(credentials?: { readonly username: string; readonly password: string }) {
  const home = await mkdtemp(join(tmpdir(), 'millrace-git-server-'))
  const [bare, work] = [join(home, 'shop.git'), join(home, 'work')]
  const git = async (...args: readonly string[]) =>
    (await run('git', [...identity, ...args], { cwd: work, env: environment })).stdout.trim()
  await mkdir(work)
  await git('init', '--quiet', '--bare', bare)
  await git('-C', bare, 'config', 'http.receivepack', 'true')
  await git('init', '--quiet', '.')
  const seen: string[] = []
  const expected = credentials && `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}`
  const server = await listenLocally(async (incoming, outgoing) => {
    seen.push(incoming.url ?? '')
    if (expected !== undefined && incoming.headers.authorization !== expected) {
      outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    await serve(home, incoming, outgoing)
  })

  return {
    url: `${server.url}/shop.git`,
    origin: server.url,
    /** Paths that were requested. */
    seen,
    /** Its path. */
    bare,
    /** Runs git in a working copy of a person. */
    git,
    /** Commits files as a person and pushes them; null deletes one, and an object is the target of a symbolic link. */
    async commit(files: Readonly<Record<string, string | null | { readonly link: string }>>, branch = 'main') {
      await git('fetch', '--quiet', bare, '+refs/heads/*:refs/remotes/all/*')
      const exists = await git('rev-parse', '--verify', '--quiet', `refs/remotes/all/${branch}`).catch(() => '')
      if (exists !== '') await git('checkout', '--quiet', '-B', branch, exists)
      else await git('checkout', '--quiet', '-B', branch).catch(() => git('checkout', '--quiet', '--orphan', branch))
      for (const [path, content] of Object.entries(files)) {
        const target = join(work, path)
        await rm(target, { force: true })
        await mkdir(dirname(target), { recursive: true })
        if (typeof content === 'string') await writeFile(target, content)
        else if (content !== null) await symlink(content.link, target)
      }
      await git('add', '--all')
      await git('commit', '--quiet', '-m', 'Change')
      await git('push', '--quiet', bare, `HEAD:refs/heads/${branch}`)
    },
    /** A file of the newest commit, or undefined. */
    read: (path: string, branch = 'main') =>
      run('git', [...identity, '-C', bare, 'show', `refs/heads/${branch}:${path}`], { env: environment }).then(
        ({ stdout }) => stdout,
        () => undefined,
      ),
    messages: () => git('-C', bare, 'log', '--format=%s', 'main'),
    /** Points a branch to any tree, such as one that `git add` would refuse. */
    async pushTree(entries: string, branch = 'main') {
      const child = spawn('git', [...identity, '-C', bare, 'mktree', '--missing'], { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
      child.stdin.end(entries)
      let tree = ''
      for await (const chunk of child.stdout) tree += String(chunk)
      const commit = await git('-C', bare, 'commit-tree', tree.trim(), '-m', 'Hostile')
      await git('-C', bare, 'update-ref', `refs/heads/${branch}`, commit)
    },
    /** Stores a text as a blob. */
    async blob(text: string) {
      await writeFile(join(home, 'blob'), text)
      return git('-C', bare, 'hash-object', '-w', '--', join(home, 'blob'))
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The common gateway interface of git. Source: https://git-scm.com/docs/git-http-backend. */
async function serve(home: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://git.invalid')
  const { headers } = incoming
  const child = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
    env: {
      ...environment,
      GIT_PROJECT_ROOT: home,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: incoming.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      REMOTE_USER: 'ada',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => undefined)
  incoming.pipe(child.stdin)
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(Buffer.from(chunk))
  const reply = Buffer.concat(chunks)
  const end = reply.indexOf('\r\n\r\n')
  const fields = reply
    .subarray(0, end)
    .toString('latin1')
    .split('\r\n')
    .map((line) => line.split(': '))
  const status = Number(fields.find(([name]) => name === 'Status')?.[1]?.slice(0, 3) ?? 200)
  outgoing.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'Status')))
  outgoing.end(reply.subarray(end + 4))
}
