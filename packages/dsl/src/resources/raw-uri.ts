/**
 * The address of the machine-readable document behind the address of a page of a Git host; any other URI as it is (dsl.md, Catalogs).
 *
 * Of GitHub the pages `tree` and `blob`, of GitLab, also where it is self-hosted, `-/tree` and `-/blob`. A repository without a branch is meant as its
 * default branch is.
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

/** The specification spells a branch out; what looks like a commit or a version is none, and `refs/…` says itself what it is. */
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
