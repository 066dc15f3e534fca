import { httpConnectionKinds } from '@millrace/contract'
import {
  createHttpFunction,
  type EffectCall,
  type HttpEffectDeps,
  type Json,
  type JsonObject,
  membersOf,
  standardError,
  textOf,
} from '@millrace/engine'
import { type UseConnection } from '#modules/connections/index.ts'
import type { CodeConnector } from '#modules/connectors/code/code-connector.ts'
import { requestInput, requestOutput } from './http-manifest.ts'

export interface HttpConnectorDeps {
  readonly use: UseConnection
  readonly effects: Omit<HttpEffectDeps, 'http' | 'httpOf'>
}

/** `http.request`: a request below the address of a connection, with its credentials. Its arguments are those of `call: http`, with a path in place of an address. */
export function createHttpConnector({ use, effects }: HttpConnectorDeps): CodeConnector {
  const perform = (call: EffectCall): Promise<Json> =>
    use(call, httpConnectionKinds, ({ settings, http }, inner) => {
      const { connection: _connection, path, method, ...others } = membersOf(inner.arguments)
      const base = 'url' in settings ? settings.url : ''
      const args: JsonObject = { ...others, method: method ?? 'get', endpoint: addressOf(base, textOf(path) ?? '') }
      return createHttpFunction({ ...effects, http })({ ...inner, arguments: args, input: {} })
    })
  return {
    name: 'http',
    title: 'HTTP with a connection',
    version: '1.0.0',
    functions: [
      {
        name: 'request',
        summary: 'Sends a request with the login, token or key of a connection.',
        input: requestInput,
        output: requestOutput,
        perform,
      },
    ],
  }
}

/** An address below another one. The braces of a path are no template: expressions have made it. */
function addressOf(base: string, path: string): string {
  const [, before = '', query = ''] = /^([^?#]*)([?#].*)?$/s.exec(path) ?? []
  if (/^[a-z][a-z0-9+.-]*:/i.test(before) || before.startsWith('//'))
    throw standardError(
      'validation',
      `"path" is what follows the address of the connection, ${base}, such as /orders/7; it is not an address.`,
    )
  if (before.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
    throw standardError('validation', '"path" has a part . or .., which would lead to another resource than the path says.')
  const rest = before.replace(/^\/+/, '')
  const address = rest === '' ? base : `${base.replace(/\/+$/, '')}/${rest}`
  return `${address}${query}`.replaceAll('{', '%7B').replaceAll('}', '%7D')
}
