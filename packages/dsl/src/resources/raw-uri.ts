/**
 * The URI of the raw document for the URI of a page of a Git host; any other URI is returned unchanged (dsl.md, Catalogs).
 *
 * Pages are `tree` and `blob` of GitHub, and `-/tree` and `-/blob` of GitLab, also self-hosted. A repository without a branch means its default
 * branch.
 */
export function rawUri(uri: string): string {
  const [, origin, path] = /^(https:\/\/[^/?#]+)\/([^?#]*)/i.exec(uri) ?? []
  if (origin === undefined || path === undefined) return uri
  const steps = path.split('/').filter((step) => step !== '')
  const host = origin.slice('https://'.length).toLowerCase()
  if (host === 'github.com' || host === 'www.github.com') return rawGitHub(steps) ?? uri
  return rawGitLab(origin, steps, host === 'gitlab.com') ?? uri
}

function rawGitHub([owner, repository, page, ...rest]: readonly string[]): string | undefined {
  if (owner === undefined || repository === undefined) return undefined
  const root = `https://raw.githubusercontent.com/${owner}/${repository.replace(/\.git$/, '')}`
  if (page === undefined) return `${root}/HEAD`
  const [ref, ...path] = rest
  if ((page !== 'tree' && page !== 'blob') || ref === undefined) return undefined
  return [root, gitHubRef(ref), ...path].join('/')
}

/** The specification uses branch names; a commit, a version and `refs/…` are not branches. */
function gitHubRef(ref: string): string {
  return ref === 'refs' || ref === 'HEAD' || /^[0-9a-f]{40}$|^v?\d+(?:\.\d+)*(?:[-+.]\S*)?$/.test(ref) ? ref : `refs/heads/${ref}`
}

function rawGitLab(origin: string, steps: readonly string[], isGitLab: boolean): string | undefined {
  const mark = steps.indexOf('-')
  if (mark === -1) {
    if (!isGitLab || steps.length !== 2) return undefined
    return [origin, ...steps.map((step) => step.replace(/\.git$/, '')), '-/raw/HEAD'].join('/')
  }
  const [page, ref] = steps.slice(mark + 1)
  if ((page !== 'tree' && page !== 'blob') || ref === undefined) return undefined
  return [origin, ...steps.slice(0, mark), '-/raw', ...steps.slice(mark + 2)].join('/')
}
