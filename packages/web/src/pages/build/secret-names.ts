import { isSecret } from '#src/values/secret-members.ts'

/** Whether the name of a variable suggests a secret: one of its words does, such as in `STRIPE_KEY_LIVE`. */
export function namesSecret(name: string): boolean {
  const words = name.replace(/([a-z])(?=[A-Z])/g, '$1_').split('_')
  return isSecret(name) || words.some((word) => secretWord.test(word))
}

const secretWord = /^(?:key|token|secret|pass(?:word|phrase|wd|code)?|pwd|pin|otp|auth|credentials?)$/i
