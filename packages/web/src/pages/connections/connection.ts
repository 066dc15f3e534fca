import type { groups, Reply, Sent } from '@millrace/contract'

type Connections = (typeof groups)['connections']
export type Connection = Reply<Connections['get']>
export type Kind = Connection['kind']
export type NewSettings = Sent<Connections['create']>['body']['settings']

/** Where a connection leads: a host, with its port where one is set. */
export function hostOf({ settings }: Connection): string {
  if ('url' in settings) return new URL(settings.url).host
  return settings.port === undefined ? settings.host : `${settings.host}:${settings.port}`
}

/** Whether a person has to consent at the service. */
export function needsConsent({ settings }: Connection): boolean {
  return settings.kind === 'oauth2' && settings.grant === 'authorization_code'
}
