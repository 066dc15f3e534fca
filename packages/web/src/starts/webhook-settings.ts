import type { Trigger } from '#src/starts/what-starts.tsx'

/** What a person sets of a webhook. */
export function settingsOf({
  url: _url,
  testUrl: _testUrl,
  listensUntil: _listensUntil,
  formProblem: _formProblem,
  ...settings
}: NonNullable<Trigger['webhook']>) {
  return settings
}
