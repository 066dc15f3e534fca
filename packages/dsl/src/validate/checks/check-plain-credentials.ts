import type { Json } from '#src/json.ts'
import { type Path, pointerOf } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { Facts } from '#src/validate/facts.ts'
import { nameOf } from '#src/validate/wording.ts'

/** Keys of well-known services, by their prefixes, and private keys. */
const known =
  /(?:^|[^A-Za-z0-9_-])(?:[sr]k_live_[A-Za-z0-9]{16}|gh[pousr]_[A-Za-z0-9]{30}|github_pat_[A-Za-z0-9_]{40}|xox[abprs]-[A-Za-z0-9-]{10}|AKIA[0-9A-Z]{16}(?![0-9A-Za-z])|AIza[0-9A-Za-z_-]{35}|sk-[A-Za-z0-9_-]{32}|glpat-[A-Za-z0-9_-]{20}|-----BEGIN (?:[A-Z]{2,9} ){0,2}PRIVATE KEY-----)/
/** A scheme of HTTP with what looks like a credential. */
const withScheme = /^(?:bearer|basic|token|apikey)\s+\S{8,}$/i
/** Headers whose value is a credential. */
const headers: ReadonlySet<string> = new Set(
  'authorization proxy-authorization x-api-key api-key apikey x-auth-token x-access-token x-token private-token'.split(' '),
)
/** Parts of a task with data of the author; tasks inside a task are checked by themselves. */
const parts = ['with', 'set', 'emit', 'run', 'raise'] as const

/** Warns of texts that are probably credentials: everyone who can read the definition can read them. */
export function checkPlainCredentials(facts: Facts): void {
  const reported = new Set(facts.findings.filter(({ code }) => code === 'plain_credential').map(({ path }) => pointerOf(path)))
  for (const { task, path } of facts.tasks) {
    const isRequest = task['call'] === 'http'
    for (const part of parts) {
      const value = task[part]
      if (value !== undefined) visit(value, { parent: path, key: part }, (at) => add(at, isRequest))
    }
    const sent = objectAt(objectAt(task, 'with') ?? {}, 'headers') ?? {}
    for (const [name, value] of Object.entries(sent))
      if (typeof value === 'string' && headers.has(name.toLowerCase()) && isWritten(value))
        add({ parent: { parent: { parent: path, key: 'with' }, key: 'headers' }, key: name }, isRequest)
  }

  function add(path: Path, isRequest: boolean): void {
    const pointer = pointerOf(path)
    if (reported.has(pointer)) return
    reported.add(pointer)
    const message = `${nameOf(path)} has a key or token as plain text: everyone who can read the definition can read it.`
    const connection = isRequest ? 'Keep it in a connection and call http.request with that. Or store' : 'Store'
    const hint = `${connection} it as a secret, list the secret in use.secrets, and write '\${ $secrets.name }'.`
    facts.findings.push({ code: 'plain_credential', severity: 'warning', path, at: 'value', message, hint })
  }
}

/** Whether the value of a header is a credential as it stands. What has an expression in it is reported as a text that is not evaluated. */
function isWritten(value: string): boolean {
  return value.length >= 8 && !value.includes('${')
}

function visit(value: Json, path: Path, add: (path: Path) => void): void {
  if (typeof value === 'string') {
    if (known.test(value) || (withScheme.test(value) && !value.includes('${'))) add(path)
  } else if (Array.isArray(value)) for (const [key, item] of value.entries()) visit(item, { parent: path, key }, add)
  else if (isObject(value)) for (const [key, item] of Object.entries(value)) visit(item, { parent: path, key }, add)
}
