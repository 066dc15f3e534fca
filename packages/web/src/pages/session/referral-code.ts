const key = 'millrace.referral'

/** Keeps the code of a referral link until this tab registers an account. */
export function rememberReferral(code: string): void {
  sessionStorage.setItem(key, code)
}

/** Names the code of the link by which the new account came; a code that does not count any more is forgotten. */
export async function claimReferral(): Promise<void> {
  const code = sessionStorage.getItem(key)
  if (code === null) return
  sessionStorage.removeItem(key)
  const { api } = await import('#src/api/client.ts')
  await api.referrals.claim({ body: { code } }).catch(() => undefined)
}
