import { isRuntimeExpression, locateExpression } from '#src/expression/runtime-expression.ts'
import { type AddressPlace, unencodedParts } from '#src/expression/unencoded-parts.ts'
import type { Json, JsonObject } from '#src/json.ts'
import type { Path } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import { calledFunction, type KnownNames, knownNames } from '#src/tasks/called-function.ts'
import type { Facts, Finding } from '#src/validate/facts.ts'
import { shortened } from '#src/validate/wording.ts'

/** Arguments of functions that are whole addresses. */
const addressNames: ReadonlySet<string> = new Set(['url', 'uri', 'endpoint'])
const findingsMax = 200

/** Warns of data that is put into the path or query of an address as it is: its sender can choose what is called. */
export function checkAddresses(facts: Facts, document: Json): void {
  const names = knownNames(isObject(document) ? objectAt(document, 'use') : undefined)
  let left = findingsMax
  for (const { task, path } of facts.tasks)
    for (const { text, at, place } of addressesOf(task, path, names)) {
      const findings = findingsOf(text, at, place).slice(0, left)
      left -= findings.length
      facts.findings.push(...findings)
    }
}

interface Address {
  readonly text: string
  readonly at: Path
  readonly place: AddressPlace
}

function addressesOf({ call, with: args }: JsonObject, path: Path | undefined, names: KnownNames): readonly Address[] {
  if (typeof call !== 'string' || !isObject(args)) return []
  const called = calledFunction(call, names)
  const at: Path = { parent: path, key: 'with' }
  if (called.kind === 'built-in') return endpointsIn(args, at)
  return Object.entries(args).flatMap(([key, text]): Address[] => {
    const isPath = key === 'path' && called.kind === 'default' && called.name === 'http.request'
    if (typeof text !== 'string' || (!isPath && !addressNames.has(key))) return []
    return [{ text, at: { parent: at, key }, place: isPath ? 'path' : 'address' }]
  })
}

/** The endpoints of a call, such as that of its document or its transport. */
function endpointsIn(value: JsonObject, at: Path): readonly Address[] {
  return Object.entries(value).flatMap(([key, inside]): readonly Address[] => {
    const path = { parent: at, key }
    if (key === 'endpoint' && typeof inside === 'string') return [{ text: inside, at: path, place: 'address' }]
    if (!isObject(inside)) return []
    const { uri } = inside
    if (key === 'endpoint' && typeof uri === 'string') return [{ text: uri, at: { parent: path, key: 'uri' }, place: 'address' }]
    return ['document', 'transport', 'http', 'server'].includes(key) ? endpointsIn(inside, path) : []
  })
}

function findingsOf(text: string, path: Path, place: AddressPlace): readonly Finding[] {
  if (!isRuntimeExpression(text)) return []
  const { source, offset } = locateExpression(text)
  return unencodedParts(source, place).map(({ start, end, encoded }) => ({
    code: 'unencoded_value',
    severity: 'warning',
    path,
    at: 'value',
    message: `The value ${shortened(source.slice(start, end))} is put into an address as it is: a value such as ../other?all=1 leads to another address.`,
    hint: `Write ${shortened(encoded)}.`,
    piece: { value: text, offset, start, end },
  }))
}
