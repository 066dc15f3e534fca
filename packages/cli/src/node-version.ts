/** The oldest Node.js that runs Millrace, as `engines` of package.json says. */
const oldest = [22, 18] as const

/** What is wrong with this version of Node.js; undefined if it is new enough. */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `millrace needs Node.js ${oldest.join('.')} or newer, and this is Node.js ${version}. Install Node.js 24, for example with "nvm install 24".`
}
