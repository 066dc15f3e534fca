/**
 * What the author of a step has to check because it computes with local times: scripts have UTC only. Undefined for a step that does not, and where UTC is the
 * zone of the export. A moment as such, as by `toMillis`, is the same in every zone.
 */
export function datesReason(sources: readonly string[], timeZone: string | undefined): string | undefined {
  const other = sources.flatMap((source) => [...source.matchAll(zoneSet)].map(([, zone = '']) => zone)).find((zone) => !isUtc(zone))
  const read = sources.map((source) => localTime.exec(source)?.[0]).find((found) => found !== undefined)
  if (other !== undefined) return `It computes dates in the zone ${other.slice(0, 60)}. ${advice}`
  if (read === undefined || (timeZone !== undefined && isUtc(timeZone))) return undefined
  const zone = timeZone === undefined ? 'that of its server, which the export does not name' : timeZone
  return `It computes dates (\`${read.replace(/\s*\($/, '')}\`). In n8n their zone is ${zone}. ${advice}`
}

const advice = 'Here it is UTC: check the hours and days that it gives.'

export function isUtc(zone: string): boolean {
  return /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal|Greenwich)$/i.test(zone)
}

const zoneSet = /\.setZone\(\s*["'`]([^"'`]+)["'`]/g
const moments = String.raw`(?!\s*\.\s*(?:toMillis|toSeconds|toUnixInteger|toUTC|valueOf|ts)\b)`
const ofJavaScript = String.raw`\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes)\s*\(|\.toLocale(?:Date|Time)?String\s*\(\s*["'\x60)]`
const localTime = new RegExp(
  String.raw`\$now\b${moments}|\$today\b|\bDateTime\.(?:now\(\)${moments}|local\b|from\w+)|\.toDateTime\s*\(|\.toFormat\s*\(|${ofJavaScript}`,
)
