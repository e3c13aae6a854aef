/** Decides which operations are traced. */
import {
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '../config/config.ts';

/** Samples per operation, with or without `parentbased_`: the spans of an operation follow its decision. */
export function samplerOf({ sampler, samplerRatio, trustsParent }: TracingConfig): Sampler {
  const ratios = { always_on: 1, always_off: 0, traceidratio: samplerRatio };
  const ratio = ratios[sampler.replace('parentbased_', '') as keyof typeof ratios];
  const root = new TraceIdRatioBasedSampler(ratio);
  if (trustsParent) return new ParentBasedSampler({ root });
  // A caller chooses the trace id and the sampled flag of its traceparent, so neither decides what is sampled.
  const remote: Sampler = {
    shouldSample: () => ({
      decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
    }),
    toString: () => `RandomSampler{${ratio}}`,
  };
  return new ParentBasedSampler({ root, remoteParentSampled: remote, remoteParentNotSampled: remote });
}
