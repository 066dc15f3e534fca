import type { Config } from '#config/read-config.ts'

/** The public address of the installation, or else the one that it listens on: that of links in mails, webhooks and pages of others. */
export function originOf({ publicUrl, host, port }: Pick<Config['http'], 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
