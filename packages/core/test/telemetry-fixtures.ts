/** Listens to everything that one engine tells of its work. */
import { channels, type Operation, type Operations, type PolicyEngine } from '@blockwork/core';

type Name = keyof Operations;

export interface Heard<Of extends Name = Name> {
  readonly name: Of;
  readonly operation: Operations[Of];
}

export interface Listener {
  /** What has ended, in order. */
  readonly heard: readonly Heard[];
  readonly of: <Of extends Name>(name: Of) => Operations[Of][];
  readonly stop: () => void;
}

/** `onStart` may change what is told, as a tracer does. */
export function listenTo(
  { program }: PolicyEngine,
  onStart: (name: Name, operation: Operation) => void = () => undefined,
): Listener {
  const heard: Heard[] = [];
  const stops = (Object.keys(channels) as Name[]).map((name) => {
    const mine = (operation: Operation): boolean => operation.source === program.telemetrySource;
    const channel = channels[name] as unknown as (typeof channels)['read'];
    return channel.subscribe({
      start: (operation) => {
        if (mine(operation)) onStart(name, operation);
      },
      end: (operation) => {
        if (mine(operation)) heard.push({ name, operation: { ...operation } });
      },
    });
  });
  return {
    heard,
    of: <Of extends Name>(name: Of) =>
      heard.filter((each) => each.name === name).map(({ operation }) => operation as Operations[Of]),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
