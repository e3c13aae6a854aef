import type { Redis } from 'ioredis';
import type { Primaries, PrimariesOptions } from './redis-primaries.ts';
import { createSubscriptions, type Subscriptions } from './redis-subscriptions.ts';

interface ChannelListener {
  onMessage(bytes: Buffer): void;
  /** Messages are received from now on: called at the beginning and after each interruption, whose messages are lost. */
  onSubscribed(): void;
}

interface Channel {
  readonly listeners: Set<ChannelListener>;
  /** The subscriptions that include it; undefined while its primary is unknown. */
  place: Subscriptions | undefined;
}

/**
 * For messages that gateways send each other through Redis. Returns a function that listens to a channel until the function
 * that it returns is called, also over every later connection. `isSharded`: a channel belongs to the primary that would hold
 * a key of its name, and its messages stay there.
 */
export function createChannels(
  connectPrimaries: (options: PrimariesOptions) => Primaries,
  isSharded: boolean,
  onError: (error: Error) => void,
) {
  const channels = new Map<string, Channel>();
  const subscriptions = new WeakMap<Redis, Subscriptions>();
  const listenersOf = (name: string) => channels.get(name)?.listeners ?? [];
  const primaries = connectPrimaries({ onConnection, onMove: placeAll });

  function onConnection(connection: Redis): void {
    connection.on('error', onError);
    connection.on(isSharded ? 'smessageBuffer' : 'messageBuffer', (name: Buffer, bytes: Buffer) => {
      for (const listener of listenersOf(String(name))) listener.onMessage(bytes);
    });
    const onSubscribed = (names: readonly string[]) => {
      for (const name of names) for (const listener of listenersOf(name)) listener.onSubscribed();
    };
    subscriptions.set(connection, createSubscriptions(connection, isSharded, onSubscribed));
  }

  /** Subscribes to a channel where it belongs now, and nowhere else. */
  function place(name: string, channel: Channel): void {
    const connection = primaries.of(name);
    const next = connection && subscriptions.get(connection);
    if (next === channel.place) return;
    channel.place?.end(name);
    channel.place = next;
    next?.begin(name);
  }

  function placeAll(): void {
    for (const [name, channel] of channels) place(name, channel);
  }

  return (name: string, listener: ChannelListener) => {
    const channel: Channel = channels.get(name) ?? { listeners: new Set(), place: undefined };
    channel.listeners.add(listener);
    if (channels.get(name) === channel) listener.onSubscribed();
    channels.set(name, channel);
    place(name, channel);
    return () => {
      channel.listeners.delete(listener);
      if (channel.listeners.size > 0 || channels.get(name) !== channel) return;
      channels.delete(name);
      channel.place?.end(name);
    };
  };
}
