import { editDistance } from '@millrace/dsl'
import { wholeWeb } from '#modules/models/bounded-web.ts'
import type { ModelEndpoint } from '#modules/models/model.ts'
import { requestModels } from '#modules/models/model-parts.ts'
import type { WebFetch } from '#platform/net/web-fetch.ts'

/** Ids of more models are not compared. */
const listedMax = 5_000
const namedMax = 3
/** What may be repeated to a person: an id, and no text that an endpoint makes up. */
const plainId = /^[\w.:/@+-]{1,100}$/

/**
 * Lists the models of an endpoint, which costs no tokens. Undefined: it does not list them. Throws EndpointError, or what prevented the request.
 */
export async function listModels(
  endpoint: ModelEndpoint,
  web: Pick<WebFetch, 'fetch'>,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const response = await requestModels(endpoint, wholeWeb(web), signal, endpoint.kind === 'anthropic' ? '?limit=1000' : '')
  return response === undefined ? undefined : idsIn(await response.text())
}

/** The forms of services: `{ data: [{ id }] }`, `{ models: [{ name }] }` and a list alone. */
function idsIn(text: string): readonly string[] | undefined {
  const body = parsed(text)
  const { data, models } = Object(body)
  const list: unknown = [body, data, models].find((each) => Array.isArray(each))
  if (!Array.isArray(list)) return undefined
  const ids = list.slice(0, listedMax).flatMap((each: unknown) => {
    const { id, name } = Object(each)
    const found: unknown = id ?? name
    return typeof found === 'string' ? [found] : []
  })
  return ids.length === 0 ? undefined : ids
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a list has a model, which it may name with a folder before the id, or with the tag that it has by default. */
export function isListed(model: string, listed: readonly string[]): boolean {
  return listed.some((id) => id === model || id === `${model}:latest` || id.endsWith(`/${model}`))
}

/** The ids of a list that a person may have meant, the nearest first; the first ones of the list where none is near. */
export function nearIds(model: string, listed: readonly string[]): readonly string[] {
  const wanted = model.toLowerCase()
  const farthest = Math.max(1, wanted.length / 3)
  const plain = listed.filter((id) => plainId.test(id))
  const near = plain
    .map((id) => ({ id, distance: distanceOf(wanted, id.toLowerCase(), farthest) }))
    .filter(({ distance }) => distance <= farthest)
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ id }) => id)
  return (near.length > 0 ? near : plain).slice(0, namedMax)
}

/** One that contains the other is near, whatever its length. */
function distanceOf(wanted: string, id: string, farthest: number): number {
  const isPart = wanted.length > namedMax && (id.includes(wanted) || wanted.includes(id))
  const most = isPart ? farthest : Number.POSITIVE_INFINITY
  return Math.min(most, Math.abs(wanted.length - id.length) > farthest ? most : editDistance(wanted, id, farthest + 1))
}
