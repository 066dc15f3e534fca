import { flag, inBody, inPath, inQuery, list, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const calendarId = inPath('`primary`, or the address of a calendar.')
const sendUpdates = inQuery({ enum: ['all', 'externalOnly', 'none'] })

/** Source: https://developers.google.com/workspace/calendar/api. */
export const googleCalendar = {
  connector: '1.0',
  title: 'Google Calendar',
  servers: ['https://www.googleapis.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'listEvents',
      summary: 'Lists events of a calendar.',
      method: 'get',
      path: '/calendar/v3/calendars/{calendarId}/events',
      parameters: {
        calendarId,
        timeMin: inQuery(text()),
        timeMax: inQuery(text()),
        q: inQuery(text()),
        singleEvents: inQuery(flag),
        orderBy: inQuery({ enum: ['startTime', 'updated'] }),
        maxResults: inQuery(whole(1, 2_500)),
        pageToken: inQuery(text(2_000)),
      },
    },
    {
      name: 'createEvent',
      summary: 'Creates an event.',
      method: 'post',
      path: '/calendar/v3/calendars/{calendarId}/events',
      parameters: {
        calendarId,
        summary: inBody(text(1_000)),
        description: inBody(text(8_192)),
        location: inBody(text(1_000)),
        start: neededInBody(record, 'With `dateTime`, or `date` for whole days.'),
        end: neededInBody(record),
        attendees: inBody(list(200, record), 'Each with `email`.'),
        sendUpdates,
      },
    },
    {
      name: 'updateEvent',
      summary: 'Changes an event.',
      method: 'patch',
      path: '/calendar/v3/calendars/{calendarId}/events/{eventId}',
      parameters: {
        calendarId,
        eventId: inPath(),
        summary: inBody(text(1_000)),
        description: inBody(text(8_192)),
        location: inBody(text(1_000)),
        start: inBody(record),
        end: inBody(record),
        attendees: inBody(list(200, record)),
        sendUpdates,
      },
    },
    {
      name: 'deleteEvent',
      summary: 'Deletes an event.',
      method: 'delete',
      path: '/calendar/v3/calendars/{calendarId}/events/{eventId}',
      parameters: { calendarId, eventId: inPath(), sendUpdates },
    },
  ],
}
