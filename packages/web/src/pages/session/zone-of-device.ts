/**
 * Sets the time zone of an account that was just made to that of this device: mails to its people and the days of its analytics follow it. Their own
 * profiles and the settings of the account can name another one.
 */
export async function setZoneOfAccount(): Promise<void> {
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (timeZone === 'UTC') return
  const { api } = await import('#src/api/client.ts')
  // Without it the account uses UTC, as its settings say.
  await api.account.update({ body: { timeZone } }).catch(() => undefined)
}
