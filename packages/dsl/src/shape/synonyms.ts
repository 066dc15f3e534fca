/** Names that other tools have for a property, with what the property may be called here. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  url: ['endpoint', 'uri'],
  uri: ['endpoint'],
  data: ['body'],
  payload: ['body', 'data'],
  json: ['body'],
  params: ['query', 'parameters'],
  qs: ['query'],
  verb: ['method'],
  user: ['username'],
  login: ['username'],
  pass: ['password'],
  bearer: ['token'],
  args: ['arguments'],
  env: ['environment'],
  vars: ['environment'],
  cmd: ['command'],
  lang: ['language'],
  recipients: ['to'],
  recipient: ['to'],
  body: ['text', 'html'],
  message: ['text', 'detail'],
  title: ['subject'],
  reviewers: ['approvers'],
  assignees: ['approvers'],
}

/** What a property of this name may be called here. */
export function synonymsOf(name: string): readonly string[] {
  return Object.hasOwn(synonyms, name) ? (synonyms[name] ?? []) : []
}
