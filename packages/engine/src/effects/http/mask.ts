/** Collects what must not be seen, and takes it out of text that is reported. */
export interface Mask {
  add(secret: string): void
  text(value: string): string
}

export const masked = '***'

/**
 * Starts a mask from the secrets that are known beforehand.
 *
 * The forms in which a value travels (percent-encoded, form-encoded, base64) are masked with it. Values under four characters are
 * left: they occur by chance everywhere, and masking those occurrences would tell what they are.
 */
export function createMask(secrets: readonly string[]): Mask {
  const forms = new Set<string>()
  const mask: Mask = {
    add: (secret) => {
      if (secret.length < 4) return
      for (const form of [secret, encodeURIComponent(secret.toWellFormed()), formEncoded(secret), base64(secret)]) forms.add(form)
    },
    text: (value) => {
      // Longest first: a secret that contains another would otherwise leave its rest behind.
      const ordered = [...forms].toSorted((a, b) => b.length - a.length)
      return ordered.reduce((text, form) => text.replaceAll(form, masked), value)
    },
  }
  for (const secret of secrets) mask.add(secret)
  return mask
}

function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}
