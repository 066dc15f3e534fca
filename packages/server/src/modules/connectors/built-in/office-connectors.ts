import type { BuiltInConnector } from '#modules/connectors/functions/connector-source.ts'
import { airtable } from './airtable/manifest.ts'
import { asana } from './asana/manifest.ts'
import { googleCalendar } from './google-calendar/manifest.ts'
import { googleDrive } from './google-drive/manifest.ts'
import { googleSheets } from './google-sheets/manifest.ts'
import { notion } from './notion/manifest.ts'
import { todoist } from './todoist/manifest.ts'
import { trello } from './trello/manifest.ts'

/** Documents, tables, calendars and tasks. */
export const officeConnectors: readonly BuiltInConnector[] = [
  { name: 'airtable', manifest: airtable },
  { name: 'asana', manifest: asana },
  { name: 'google-calendar', manifest: googleCalendar },
  { name: 'google-drive', manifest: googleDrive },
  { name: 'google-sheets', manifest: googleSheets },
  { name: 'notion', manifest: notion },
  { name: 'todoist', manifest: todoist },
  { name: 'trello', manifest: trello },
]
