import * as z from 'zod'

/** Prefix of every kind of id on the wire, and what it names. */
export const idPrefixes = {
  acct: 'account',
  usr: 'user',
  ses: 'session',
  key: 'API key',
  wf: 'workflow',
  wfv: 'workflow version',
  exec: 'execution',
  task: 'task',
  apr: 'approval',
  arun: 'agent run',
  trg: 'trigger',
  whd: 'webhook delivery',
  chn: 'chain',
  evt: 'event',
  evsub: 'event subscription',
  dlv: 'delivery',
  dlt: 'dead letter',
  ntf: 'notification',
  var: 'variable',
  file: 'file',
  mkt: 'marketplace entry',
  mkr: 'marketplace report',
  csub: 'connector submission',
  conn: 'connection',
  mdl: 'model of an account',
  mcall: 'call of a model',
  repo: 'linked repository',
  ctor: 'connector of an account',
  aud: 'audit event',
  adst: 'audit destination',
  prd: 'privacy decision',
  prp: 'privacy policy',
  era: 'privacy erasure',
  pdr: 'report about a person',
  cns: 'consent',
  exp: 'export',
  pack: 'evidence pack',
  sub: 'billing subscription',
  chk: 'checkout intent',
  inv: 'invoice',
  dom: 'domain',
  lead: 'lead',
  rda: 'readiness assessment',
  cap: 'capture session',
  conv: 'conversation',
  msg: 'message of a conversation',
  prop: 'proposal of the assistant',
  draft: 'e-mail draft',
  einv: 'e-invoice',
  ivt: 'invitation',
  grp: 'group of a directory',
  pky: 'passkey',
} as const

export type IdPrefix = keyof typeof idPrefixes

/**
 * Schema of a TypeID: the prefix, an underscore, and a UUID in 26 characters of Crockford's base32.
 *
 * In a path an id that does not match is a 404, in a query or body a 400. Source: https://github.com/jetify-com/typeid/tree/main/spec
 */
export function typeId(prefix: IdPrefix): z.ZodString {
  const kind = idPrefixes[prefix]
  const named = `${/^(?!user)[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`), {
      error: `Must be the id of ${named} (${prefix}_…).`,
    })
    .meta({ description: `Id of ${named}.`, examples: [`${prefix}_01h455vb4pex5vsknk084sn02q`] })
}
