/** Words for credentials, by themselves or at the end of a name. */
const words = new Set(
  `password passwords passwd pwd passphrase passcode passwort kennwort secret secrets token tokens apikey apikeys authorization authorisation cookie cookies
  credential credentials bearer signature otp pin`.split(/\s+/),
)
const phrases = [
  'api key',
  'api keys',
  'private key',
  'secret key',
  'access key',
  'session id',
  'pass word',
  'mot de passe',
  'كلمة المرور',
  'كلمة السر',
]
/** Words after that of a credential that do not change what the value is. */
const after = new Set(['value', 'old', 'new', 'current', 'text', 'plain'])

/** Whether the name of a value, such as `userPassword`, `x-api-key` or `token2`, says that it is a credential. */
export function isSecretName(name: string): boolean {
  if (name.length > 100) return false
  const parts = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .filter((part) => part !== '')
  while (parts.length > 1 && after.has(parts.at(-1) ?? '')) parts.pop()
  const last = parts.at(-1) ?? ''
  const whole = parts.join(' ')
  return words.has(last) || phrases.some((phrase) => whole === phrase || whole.endsWith(` ${phrase}`))
}
