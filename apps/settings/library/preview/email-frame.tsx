import { useEffect, useRef, useState } from 'react';
import frameUrl from './frame.html?url';
import classes from './preview.module.css';

interface EmailFrameProps {
  title: string;
  html: string;
  isDark: boolean;
}

// Taller emails scroll inside of the frame.
const MAX_HEIGHT = 20_000;
const FIRST_HEIGHT = 480;

/** An email in a frame with an origin of its own, which is as high as the email. */
export function EmailFrame({ title, html, isDark }: EmailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [isLoaded, setIsLoaded] = useState(false);

  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<{ height?: unknown }>) => {
      if (source !== frame.current?.contentWindow || typeof data.height !== 'number') return;
      setHeight(Math.min(Math.max(data.height, 1), MAX_HEIGHT));
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);

  useEffect(() => {
    // The frame has an opaque origin, which cannot be named.
    if (isLoaded) frame.current?.contentWindow?.postMessage({ html, isDark }, '*');
  }, [isLoaded, html, isDark]);

  return (
    <iframe
      ref={frame}
      title={title}
      src={frameUrl}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      className={classes['frame']}
      height={height}
      onLoad={() => setIsLoaded(true)}
    />
  );
}
