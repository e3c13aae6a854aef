import type { Redis } from 'ioredis';
import { createSubscriptions } from './redis-subscriptions.ts';

export interface ChannelListener {
  onMessage(bytes: Buffer): void;
  /** Messages are received from now on: called at the beginning and after each interruption, whose messages are lost. */
  onSubscribed(): void;
}

/** Messages that gateways send each other through Redis. */
export interface RedisChannels {
  /** Listens to a channel until the returned function is called, also over every later connection. */
  listen(channel: string, listener: ChannelListener): () => void;
  /** Whether messages can arrive now. */
  isConnected(): boolean;
}

export function createChannels(connection: Redis): RedisChannels {
  const listeners = new Map<string, Set<ChannelListener>>();
  const subscriptions = createSubscriptions(connection, (channels) => {
    for (const channel of channels) {
      for (const listener of listeners.get(channel) ?? []) listener.onSubscribed();
    }
  });

  connection.on('messageBuffer', (channel: Buffer, bytes: Buffer) => {
    for (const listener of listeners.get(String(channel)) ?? []) listener.onMessage(bytes);
  });

  return {
    isConnected: () => connection.status === 'ready',
    listen(channel, listener) {
      const subscribed = listeners.get(channel) ?? new Set();
      listeners.set(channel, subscribed);
      subscribed.add(listener);
      if (subscribed.size === 1) subscriptions.begin(channel);
      else listener.onSubscribed();
      return () => {
        subscribed.delete(listener);
        if (subscribed.size > 0 || listeners.get(channel) !== subscribed) return;
        listeners.delete(channel);
        subscriptions.end(channel);
      };
    },
  };
}
