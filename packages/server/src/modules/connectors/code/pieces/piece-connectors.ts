import { httpConnectionKinds } from '@millrace/contract'
import { readFile, readdir, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type EffectCall, type Json, membersOf, standardError, WorkflowError } from '@millrace/engine'
import { type UseConnection } from '#modules/connections/index.ts'
import type { CodeConnector, CodeFunction, HttpOf } from '#modules/connectors/code/code-connector.ts'
import { serviceError } from '#modules/connectors/code/failures.ts'
import { type PieceAction, type PieceDescription, type PieceRequest, placeholder } from './messages.ts'
import { inputOf } from './piece-manifest.ts'
import type { PieceRequester } from './relay-requests.ts'
import { runPiece } from './run-piece.ts'
import type { PieceTurns } from './piece-turns.ts'

/** A package of Activepieces that the operator has installed. */
export interface InstalledPiece {
  /** `slack` of `@activepieces/piece-slack`. */
  readonly name: string
  readonly version: string
  /** Its program. */
  readonly file: string
  /** The folders that its process may read: its own, and that of the packages beside it. */
  readonly folders: readonly string[]
}

/** A piece with what it offers. */
export interface Piece extends InstalledPiece {
  readonly description: PieceDescription
}

const packagePrefix = 'piece-'
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const requestMs = 60_000
const responseBytesMax = 16 * 1024 * 1024

/** The packages `@activepieces/piece-…` below `node_modules` of a folder. */
export async function findPieces(folder: string): Promise<readonly InstalledPiece[]> {
  const packages = await realpath(join(folder, 'node_modules'))
  const scope = join(packages, '@activepieces')
  const names = (await readdir(scope)).filter((name) => name.startsWith(packagePrefix)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const own = await realpath(join(scope, name))
      const { version, main }: { version?: string; main?: string } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8'))
      const file = resolve(own, main ?? 'index.js')
      return { name: name.slice(packagePrefix.length), version: version ?? '0.0.0', file, folders: [own, packages] }
    }),
  )
}

/** Loads a piece in a process of its own, to learn what it offers. Throws an Error that says why it is no piece. */
export async function describePiece(piece: InstalledPiece): Promise<Piece> {
  const refuse: PieceRequester = () => Promise.reject(new Error('A piece sends no request while it is loaded.'))
  const outcome = await runPiece({ kind: 'describe', ...programOf(piece) }, refuse, AbortSignal.timeout(30_000))
  if (outcome.kind === 'described') return { ...piece, description: outcome.piece }
  throw new Error(outcome.kind === 'failed' ? outcome.message : 'It does not describe itself.')
}

export interface PieceConnectorDeps {
  readonly use: UseConnection
  readonly httpOf: HttpOf
  readonly turns: PieceTurns
}

/** The connector `piece-NAME` of a piece: each action is a function. */
export function pieceConnector(piece: Piece, deps: PieceConnectorDeps): CodeConnector {
  const { name, version, description } = piece
  const functionOf = (action: PieceAction): CodeFunction => ({
    name: action.name,
    summary: (action.description.trim() === '' ? action.displayName : action.description.trim()).slice(0, 300),
    input: inputOf(action, description.hasAuth),
    output: { description: 'What the action gives, as JSON.' },
    perform: (call) =>
      description.hasAuth
        ? deps.use(call, httpConnectionKinds, ({ http }, inner) =>
            perform(inner, { ...programOf(piece), action: action.name, hasConnection: true }, http, deps),
          )
        : perform(call, { ...programOf(piece), action: action.name, hasConnection: false }, deps.httpOf(call), deps),
  })
  return {
    name: `${packagePrefix}${name}`,
    title: description.title,
    version,
    functions: description.actions.filter((action) => namePattern.test(action.name)).map(functionOf),
  }
}

const programOf = ({ file, folders }: InstalledPiece) => ({ file, folders })

interface Work {
  readonly file: string
  readonly folders: readonly string[]
  readonly action: string
  readonly hasConnection: boolean
}

async function perform(call: EffectCall, work: Work, http: ReturnType<HttpOf>, { turns }: PieceConnectorDeps): Promise<Json> {
  const { connection: _connection, ...properties } = membersOf(call.arguments)
  const request: PieceRequester = (asked, signal) =>
    http.request({ ...withoutPlaceholder(asked), followRedirects: false, timeoutMs: requestMs, maxResponseBytes: responseBytesMax }, signal)
  const task = { kind: 'run', ...work, properties, executionId: call.executionId } as const
  const outcome = await turns(call, () => runPiece(task, request, call.signal))
  if (outcome.kind === 'done') return JSON.parse(outcome.output)
  if (outcome.kind === 'denied') throw serviceError(outcome.because)
  const { message, status } = outcome.kind === 'failed' ? outcome : { message: 'The piece gave no result.', status: undefined }
  const { data } = standardError('communication', message.replaceAll(placeholder, '…'))
  throw new WorkflowError({ ...data, ...(status === undefined ? {} : { status }) })
}

/** A request without the parts where the piece has put its credential: those of the connection are added afterwards. */
function withoutPlaceholder({ method, url: text, headers, body }: PieceRequest) {
  const url = new URL(text)
  const names = Array.from(url.searchParams).flatMap(([name, value]) => (value.includes(placeholder) ? [name] : []))
  for (const name of names) url.searchParams.delete(name)
  if (url.pathname.includes(placeholder))
    url.pathname = url.pathname
      .split('/')
      .filter((part) => !part.includes(placeholder))
      .join('/')
  // Credentials of Basic are in base64.
  const encoded = Buffer.from(`${placeholder}:${placeholder}`).toString('base64')
  const kept = Object.entries(headers).filter(([, value]) => !value.includes(placeholder) && !value.includes(encoded))
  const hasBody = body.length > 0 || !['GET', 'HEAD'].includes(method)
  return { method, url: url.href, headers: Object.fromEntries(kept), ...(hasBody && body.length > 0 ? { body } : {}) }
}
